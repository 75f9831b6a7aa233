import { type Memo, ProviderError, type Transfer } from '../../chain.ts'
import type {
  RpcInstruction,
  RpcLightBlock,
  RpcMessage,
  RpcMeta,
  RpcTokenBalance,
  RpcTransaction,
} from '../rpcTypes.ts'
import { dataOf, messageOfBytes } from '../wire.ts'

/** The memo program, and its first version (Solana Program Library, "Memo Program"). */
const memoPrograms = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
])

/** The native coin in `movementKey`. */
const native = 'native'
const systemProgram = '11111111111111111111111111111111'

/**
 * The transfers of a block: each owner's net gain or loss of each token over all its accounts, by outer and
 * inner instructions, less transfer fees that the token program kept. Transaction fees are not transfers, nor
 * part of one. Failed transactions moved nothing.
 * @throws ProviderError also if a transaction occurs twice: two transfers would have the same key
 */
export function transfersOfBlock(transactions: readonly RpcTransaction[]): Transfer[] {
  const seen = new Set<string>()
  return transactions.flatMap((each) => {
    const transfers = transfersOf(each)
    const txId = transfers[0]?.txId
    if (txId !== undefined && seen.has(txId))
      throw new ProviderError(`transaction ${txId} occurs twice in its block`)
    if (txId !== undefined) seen.add(txId)
    return transfers
  })
}

/** @throws ProviderError if the node left out needed fields */
export function transfersOf({ transaction, meta }: RpcTransaction): Transfer[] {
  if (!meta) throw new ProviderError('a transaction without its outcome (`meta`)')
  if (meta.err !== null && meta.err !== undefined) return []
  const signed = messageOf(transaction)
  const keys = accountKeys(signed, meta)
  const [txId, payer] = [signed.signatures[0], keys[0]]
  if (!txId || !payer) throw new ProviderError('a transaction without signature or account')
  const changes = [...tokenChanges(meta), ...lamportChanges(keys, meta)]
  const moved = [...Map.groupBy(changes, ({ mint }) => mint)].flatMap(([mint, some]) =>
    transfersOfMint(mint, some, payer),
  )
  if (moved.length === 0) return []
  const memo = memoOf(signed.message, keys, meta)
  return moved.map((each) => ({ txId, ...each, ...(memo ? { memo } : {}) }))
}

/**
 * Transfers of one token from its gains and losses. If one owner lost exactly what the others gained, one
 * transfer per gain is enough. Otherwise losses cannot be matched to gains, and each gain and each loss is
 * a transfer of its own.
 */
function transfersOfMint(
  mint: string | null,
  changes: readonly Change[],
  payer: string,
): Omit<Transfer, 'txId'>[] {
  const gains = changes.filter(({ by }) => by > 0n)
  const losses = changes.flatMap(({ owner, by }) => (by < 0n ? [{ owner, amount: -by }] : []))
  const gained = gains.reduce((sum, { by }) => sum + by, 0n)
  const isAll = losses.length === 1 && losses[0]?.amount === gained
  // The sender is the owner with the largest loss; for minted tokens, the fee payer.
  const from = losses.reduce((max, each) => (each.amount > max.amount ? each : max), {
    owner: payer,
    amount: 0n,
  }).owner
  // The recipient is the owner with the largest gain; for burned tokens, the mint.
  const to =
    gains.reduce<Change | null>((max, each) => (max && max.by >= each.by ? max : each), null)?.owner ??
    mint ??
    systemProgram
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

/** All accounts of a transaction, in the order that balances and instructions index. */
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

/**
 * An account missing before was opened in the transaction, one missing after was closed: both count as zero.
 */
function tokenChanges({ preTokenBalances, postTokenBalances }: RpcMeta): Change[] {
  const changes = new Map<string, Change>()
  const add = (balance: RpcTokenBalance, sign: bigint) => {
    // Nodes report the owner since 2021; without it the money cannot be attributed.
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
 * An account's change in lamports without the fee. The first account pays the fee: its balance before
 * includes it, its balance after does not (Solana docs, "getTransaction" and "Fees"). JSON numbers are exact
 * up to 2^53 lamports, nine million SOL; no payer is near that.
 */
function lamportsMoved({ preBalances, postBalances, fee }: RpcMeta, index: number): number {
  if (!Number.isSafeInteger(fee)) throw new ProviderError('a transaction without its fee')
  return (
    (postBalances[index] as number) - (preBalances[index] as number) + (index === 0 ? (fee as number) : 0)
  )
}

function memoOf(
  { instructions = [] }: RpcMessage['message'],
  keys: readonly string[],
  meta: RpcMeta,
): Memo | null {
  const inner = (meta.innerInstructions ?? []).flatMap((group) => group.instructions)
  const texts = [...instructions, ...inner]
    .filter((each) => memoPrograms.has(keys[each.programIdIndex] ?? ''))
    .flatMap((each) => textOf(each) ?? [])
  return texts.length === 0 ? null : { type: 'text', value: texts.join('\n') }
}

/**
 * Null for a memo of more than 3,000 bytes. Only a program can write one, and base58 of that length cannot be
 * decoded in time.
 */
function textOf({ data }: RpcInstruction): string | null {
  return dataOf(data)?.toString('utf8').replaceAll('\0', '') ?? null
}

/**
 * The addresses that may have paid or been paid, in a block read with accounts and balances only.
 * @throws ProviderError if the node left out needed fields
 */
export function touchedAddresses(transactions: NonNullable<RpcLightBlock['transactions']>): string[] {
  const touched = new Set<string>()
  for (const { transaction, meta } of transactions) {
    if (!meta) throw new ProviderError('a transaction without its outcome (`meta`)')
    if (meta.err !== null && meta.err !== undefined) continue
    const { preBalances, postBalances, preTokenBalances, postTokenBalances } = meta
    if (preBalances.length !== postBalances.length || postBalances.length !== transaction.accountKeys.length)
      throw new ProviderError('a transaction without all of its balances')
    transaction.accountKeys.forEach(({ pubkey }, index) => {
      // Skip accounts that only paid the fee: almost all transactions are votes.
      if (lamportsMoved(meta, index) !== 0) touched.add(pubkey)
    })
    for (const { owner } of [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])]) {
      if (!owner) throw new ProviderError('a token balance without its owner')
      touched.add(owner)
    }
  }
  return [...touched]
}
