import { base58 } from '@scure/base'
import { type Memo, ProviderError, type Transfer } from '../chain.ts'
import type { RpcInstruction, RpcLightBlock, RpcMessage, RpcMeta, RpcTokenBalance, RpcTransaction } from './rpcTypes.ts'
import { messageOfBytes } from './wire.ts'

/** The memo program, and its first version (Solana Program Library, "Memo Program"). */
const memoPrograms = new Set(['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'])

/** The native coin, in movement keys. */
const native = 'native'

/**
 * What the transactions of a block moved: for each owner what it holds more of a token than before, whichever of its accounts
 * hold it, and however it came there: by an instruction or an inner one, less what a token's program kept as a fee. Failed
 * transactions moved nothing.
 */
export const movementsOf = (transactions: readonly RpcTransaction[]): Transfer[] => transactions.flatMap((each) => transfersOf(each))

/** @throws ProviderError where the node left out what is needed to tell */
export function transfersOf({ transaction, meta }: RpcTransaction): Transfer[] {
  if (!meta) throw new ProviderError('a transaction without its outcome')
  if (meta.err !== null && meta.err !== undefined) return []
  const signed = messageOf(transaction)
  const keys = accountKeys(signed, meta)
  const [txId, payer] = [signed.signatures[0], keys[0]]
  if (!txId || !payer) throw new ProviderError('a transaction without signature or account')
  const changes = [...tokenChanges(meta), ...lamportChanges(keys, meta)]
  const gains = changes.filter(({ by }) => by > 0n)
  if (gains.length === 0) return []
  const memo = memoOf(signed.message, keys, meta)
  return gains.map(({ owner, mint, by }) => ({
    txId,
    movementKey: `${owner}:${mint ?? native}`,
    contract: mint,
    // Who lost the most of it paid; of what was minted, whoever paid for the transaction.
    from: changes.reduce((most, each) => (each.mint === mint && each.by < most.by ? each : most), { owner: payer, by: 0n }).owner,
    to: owner,
    amount: by,
    ...(memo ? { memo } : {}),
  }))
}

export const messageOf = (transaction: RpcTransaction['transaction']): RpcMessage =>
  Array.isArray(transaction) ? messageOfBytes(transaction[0]) : transaction

/** All accounts of a transaction, in the order that balances and instructions count them. */
export const accountKeys = ({ message }: RpcMessage, meta: RpcMeta): string[] => [
  ...message.accountKeys,
  ...(meta.loadedAddresses?.writable ?? []),
  ...(meta.loadedAddresses?.readonly ?? []),
]

interface Change {
  owner: string
  /** Null for lamports. */
  mint: string | null
  by: bigint
}

/** An account that is missing before was opened in the transaction, one that is missing after was closed: it held nothing. */
function tokenChanges({ preTokenBalances, postTokenBalances }: RpcMeta): Change[] {
  const changes = new Map<string, Change>()
  const add = (balance: RpcTokenBalance, sign: bigint) => {
    // Nodes tell the owner since 2021; without it nobody can say whom the money belongs to.
    if (!balance.owner) throw new ProviderError('a token balance without its owner')
    const key = `${balance.owner}:${balance.mint}`
    const change = changes.get(key) ?? { owner: balance.owner, mint: balance.mint, by: 0n }
    change.by += sign * BigInt(balance.uiTokenAmount.amount)
    changes.set(key, change)
  }
  for (const balance of preTokenBalances ?? []) add(balance, -1n)
  for (const balance of postTokenBalances ?? []) add(balance, 1n)
  return [...changes.values()]
}

function lamportChanges(keys: readonly string[], { preBalances, postBalances }: RpcMeta): Change[] {
  if (preBalances.length !== keys.length || postBalances.length !== keys.length) throw new ProviderError('a transaction without all of its balances')
  return keys.flatMap((owner, index) => {
    // JSON numbers are exact up to 2^53 lamports, nine million SOL: no account that pays is near that.
    const by = BigInt(postBalances[index] ?? 0) - BigInt(preBalances[index] ?? 0)
    return by === 0n ? [] : [{ owner, mint: null, by }]
  })
}

function memoOf({ instructions = [] }: RpcMessage['message'], keys: readonly string[], meta: RpcMeta): Memo | null {
  const inner = (meta.innerInstructions ?? []).flatMap((group) => group.instructions)
  const texts = [...instructions, ...inner].filter((each) => memoPrograms.has(keys[each.programIdIndex] ?? '')).map(textOf)
  return texts.length === 0 ? null : { type: 'text', value: texts.join('\n') }
}

const textOf = ({ data }: RpcInstruction) => Buffer.from(base58.decode(data)).toString('utf8').replaceAll('\0', '')

/**
 * Who may have been paid in a block of which only accounts and balances were asked for.
 * @throws ProviderError where the node left out what is needed to tell
 */
export function recipientsOf(transactions: NonNullable<RpcLightBlock['transactions']>): string[] {
  const recipients = new Set<string>()
  for (const { transaction, meta } of transactions) {
    if (!meta) throw new ProviderError('a transaction without its outcome')
    if (meta.err !== null && meta.err !== undefined) continue
    const { preBalances, postBalances } = meta
    if (postBalances.length !== transaction.accountKeys.length) throw new ProviderError('a transaction without all of its balances')
    for (let index = 0; index < postBalances.length; index++) {
      const key = transaction.accountKeys[index]?.pubkey
      if (key && (postBalances[index] as number) > (preBalances[index] as number)) recipients.add(key)
    }
    for (const { owner } of meta.postTokenBalances ?? []) {
      if (!owner) throw new ProviderError('a token balance without its owner')
      recipients.add(owner)
    }
  }
  return [...recipients]
}
