import { base58 } from '@scure/base'
import { type Memo, ProviderError, type Transfer } from '../chain.ts'
import type { RpcInstruction, RpcLightBlock, RpcMessage, RpcMeta, RpcTokenBalance, RpcTransaction } from './rpcTypes.ts'
import { messageOfBytes } from './wire.ts'

/** The memo program, and its first version (Solana Program Library, "Memo Program"). */
const memoPrograms = new Set(['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'])

/** The native coin, in movement keys. */
const native = 'native'
const systemProgram = '11111111111111111111111111111111'

/**
 * What the transactions of a block moved: for each owner what it holds more of a token than before, or less, whichever of its accounts
 * hold it, and however it came or went: by an instruction or an inner one, less what a token's program kept as a fee. Fees for the
 * transaction are no movement, and no part of one. Failed transactions moved nothing.
 * @throws ProviderError where a transaction occurs twice, too: two movements would have one name
 */
export function movementsOf(transactions: readonly RpcTransaction[]): Transfer[] {
  const seen = new Set<string>()
  return transactions.flatMap((each) => {
    const transfers = transfersOf(each)
    const txId = transfers[0]?.txId
    if (txId !== undefined && seen.has(txId)) throw new ProviderError(`${txId} occurs twice`)
    if (txId !== undefined) seen.add(txId)
    return transfers
  })
}

/** @throws ProviderError where the node left out what is needed to tell */
export function transfersOf({ transaction, meta }: RpcTransaction): Transfer[] {
  if (!meta) throw new ProviderError('a transaction without its outcome')
  if (meta.err !== null && meta.err !== undefined) return []
  const signed = messageOf(transaction)
  const keys = accountKeys(signed, meta)
  const [txId, payer] = [signed.signatures[0], keys[0]]
  if (!txId || !payer) throw new ProviderError('a transaction without signature or account')
  const changes = [...tokenChanges(meta), ...lamportChanges(keys, meta)]
  const moved = [...Map.groupBy(changes, ({ mint }) => mint)].flatMap(([mint, some]) => movementsIn(mint, some, payer))
  if (moved.length === 0) return []
  const memo = memoOf(signed.message, keys, meta)
  return moved.map((each) => ({ txId, ...each, ...(memo ? { memo } : {}) }))
}

/**
 * Gains and losses of one token. Where one owner lost just what the others gained, the gains tell all; else nobody can say whose loss is
 * whose gain, and each is a movement of its own.
 */
function movementsIn(mint: string | null, changes: readonly Change[], payer: string): Omit<Transfer, 'txId'>[] {
  const gains = changes.filter(({ by }) => by > 0n)
  const losses = changes.flatMap(({ owner, by }) => (by < 0n ? [{ owner, amount: -by }] : []))
  const gained = gains.reduce((sum, { by }) => sum + by, 0n)
  const isAll = losses.length === 1 && losses[0]?.amount === gained
  // Who lost the most of it paid; of what was minted, whoever paid for the transaction.
  const from = losses.reduce((max, each) => (each.amount > max.amount ? each : max), { owner: payer, amount: 0n }).owner
  // What nobody gained was burned.
  const to = gains.reduce<Change | null>((max, each) => (max && max.by >= each.by ? max : each), null)?.owner ?? mint ?? systemProgram
  const key = (owner: string) => `${owner}:${mint ?? native}`
  return [
    ...gains.map(({ owner, by }) => ({
      movementKey: key(owner),
      contract: mint,
      from,
      to: owner,
      amount: by,
      ...(isAll ? {} : { only: 'in' as const }),
    })),
    ...(isAll ? [] : losses).map(({ owner, amount }) => ({
      movementKey: `${key(owner)}:out`,
      contract: mint,
      from: owner,
      to,
      amount,
      only: 'out' as const,
    })),
  ]
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

function lamportChanges(keys: readonly string[], meta: RpcMeta): Change[] {
  if (meta.preBalances.length !== keys.length || meta.postBalances.length !== keys.length)
    throw new ProviderError('a transaction without all of its balances')
  return keys.flatMap((owner, index) => {
    const by = lamportsMoved(meta, index)
    return by === 0 ? [] : [{ owner, mint: null, by: BigInt(by) }]
  })
}

/**
 * An account's change in lamports without the fee. The first account pays it: its balance before the transaction still holds it, that after
 * does not (Solana docs, "getTransaction" and "Fees"). JSON numbers are exact up to 2^53 lamports, nine million SOL: no account that pays is near that.
 */
function lamportsMoved({ preBalances, postBalances, fee }: RpcMeta, index: number): number {
  if (!Number.isSafeInteger(fee)) throw new ProviderError('a transaction without its fee')
  return (postBalances[index] as number) - (preBalances[index] as number) + (index === 0 ? (fee as number) : 0)
}

function memoOf({ instructions = [] }: RpcMessage['message'], keys: readonly string[], meta: RpcMeta): Memo | null {
  const inner = (meta.innerInstructions ?? []).flatMap((group) => group.instructions)
  const texts = [...instructions, ...inner].filter((each) => memoPrograms.has(keys[each.programIdIndex] ?? '')).map(textOf)
  return texts.length === 0 ? null : { type: 'text', value: texts.join('\n') }
}

const textOf = ({ data }: RpcInstruction) => Buffer.from(base58.decode(data)).toString('utf8').replaceAll('\0', '')

/**
 * Who may have been paid, or have paid, in a block of which only accounts and balances were asked for.
 * @throws ProviderError where the node left out what is needed to tell
 */
export function concernedBy(transactions: NonNullable<RpcLightBlock['transactions']>): string[] {
  const concerned = new Set<string>()
  for (const { transaction, meta } of transactions) {
    if (!meta) throw new ProviderError('a transaction without its outcome')
    if (meta.err !== null && meta.err !== undefined) continue
    const { preBalances, postBalances, preTokenBalances, postTokenBalances } = meta
    if (preBalances.length !== postBalances.length || postBalances.length !== transaction.accountKeys.length)
      throw new ProviderError('a transaction without all of its balances')
    transaction.accountKeys.forEach(({ pubkey }, index) => {
      // An account that only paid the fee has moved nothing; almost all transactions are votes.
      if (lamportsMoved(meta, index) !== 0) concerned.add(pubkey)
    })
    for (const { owner } of [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])]) {
      if (!owner) throw new ProviderError('a token balance without its owner')
      concerned.add(owner)
    }
  }
  return [...concerned]
}
