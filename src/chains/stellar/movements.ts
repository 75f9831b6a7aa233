import { type Memo, ProviderError, type Transfer } from '../chain.ts'
import { memoId, muxed } from './address.ts'
import type { Credit, RawTransaction } from './ledger.ts'
import { type OperationMeta, operationMetas } from './meta.ts'
import { type Operation, type SignedTransaction, signedTransaction } from './transaction.ts'

/** What the transactions of a ledger brought to whom. Failed ones brought nothing. */
export const movementsOf = (transactions: readonly RawTransaction[], network: string): Transfer[] =>
  transactions.flatMap((each) => transfersOf(each, network).transfers)

/**
 * What one transaction brought to whom: one movement for each operation, address and asset.
 *
 * The events of CAP-67 tell every movement, those within contracts and order books too. Where a node gives none, payments are
 * read from operations and results, and claims from what the ledger changed. Where it gives both, they must say the same.
 * @throws ProviderError where they do not, or where the node left out what is needed to tell
 */
export function transfersOf(raw: RawTransaction, network: string): SignedTransaction & { transfers: Transfer[] } {
  const signed = signedTransaction(raw, network)
  if (!signed.succeeded) return { ...signed, transfers: [] }
  const metas = raw.metaXdr === null ? null : operationMetas(raw.metaXdr, network)
  const transfers = signed.operations.flatMap((operation, index) => {
    const credits = metas ? creditsByMeta(raw.hash, index, operation, metas[index]) : creditsByEffects(raw, index, operation)
    return summed(credits, signed.memo).map(({ to, asset, amount }) => transferOf(raw.hash, index, operation, { to, asset, amount }, signed.memo))
  })
  return { ...signed, transfers }
}

/** What a transaction that moved nothing was meant to move. */
export const intended = (raw: RawTransaction, { operations, memo }: SignedTransaction): Transfer[] =>
  operations.flatMap((operation, index) =>
    summed(operation.credit ? [operation.credit] : [], memo).map((each) => transferOf(raw.hash, index, operation, each, memo)),
  )

interface Moved {
  to: string
  asset: string | null
  amount: bigint
}

const transferOf = (txId: string, index: number, { source }: Operation, { to, asset, amount }: Moved, memo: Memo | null): Transfer => ({
  txId,
  movementKey: `op:${index}:${to}:${asset ?? 'native'}`,
  contract: asset,
  from: source,
  to,
  amount,
  ...(memo ? { memo } : {}),
})

function creditsByMeta(hash: string, index: number, operation: Operation, meta: OperationMeta | undefined): readonly Credit[] {
  if (!meta) throw new ProviderError(`the meta of ${hash} lacks operation ${index}`)
  const expected = expectedOf(operation, meta)
  const told = meta.events ?? []
  // A node that tells no events of operations tells those of contracts all the same.
  if (told.length === 0) return expected
  for (const { account, asset, amount } of expected) {
    const sum = told.filter((each) => each.account === account && each.asset === asset).reduce((total, each) => total + each.amount, 0n)
    // On its path a payment may trade with the one whom it pays.
    if (operation.kind === 'path' ? sum < amount : sum !== amount) {
      throw new ProviderError(`events of ${hash} say that operation ${index} brought ${sum}, and the operation ${amount}`)
    }
  }
  // The id of the address that was paid is in the operation itself, which its signature covers.
  return told.map((each) => {
    const paid = expected.find(({ account, asset }) => account === each.account && asset === each.asset)
    return paid ? { ...each, id: paid.id } : each
  })
}

const expectedOf = ({ kind, credit, source }: Operation, { claimed }: OperationMeta): Credit[] =>
  kind === 'claim'
    ? claimed.filter(({ asset }) => !asset?.endsWith(`:${source}`)).map((each) => ({ ...each, account: source, id: null }))
    : credit && credit.amount > 0n
      ? [credit]
      : []

/** Without its meta: an operation's own word, and Horizon's for what only the ledger's changes tell. */
function creditsByEffects({ hash, effects }: RawTransaction, index: number, { kind, credit }: Operation): readonly Credit[] {
  if (kind !== 'claim' && kind !== 'contract') return credit ? [credit] : []
  if (!effects) throw new ProviderError(`neither meta nor effects of ${hash}`)
  return effects.get(index) ?? []
}

/** One movement for each address and asset. An address that shares its account is told by its id, or by the memo that stands for it. */
function summed(credits: readonly Credit[], memo: Memo | null): Moved[] {
  const moved = new Map<string, Moved>()
  for (const { account, id, asset, amount } of credits) {
    const to = addressed(account, id, memo)
    const key = `${to} ${asset}`
    moved.set(key, { to, asset, amount: (moved.get(key)?.amount ?? 0n) + amount })
  }
  return [...moved.values()]
}

/** The id of a muxed address comes before a memo (SEP-23). Wallets that know no memo of type `id` write it as text. */
function addressed(account: string, id: bigint | null, memo: Memo | null): string {
  if (!account.startsWith('G')) return account
  const byMemo = memo && (memo.type === 'id' || memo.type === 'text') ? memoId(memo.value) : null
  return muxed(account, id ?? byMemo ?? 0n)
}
