import type { Block, BlockHeader, PackedMovements, Transfer } from '../../chain.ts'
import { storableTransfers } from '../../storable.ts'
import type { RpcBlock, RpcTransaction } from '../rpcTypes.ts'
import { areOfBlock } from './areOfBlock.ts'
import { createdBy, type EvmRules, isSame, mintedBy, nativeOf } from './movements.ts'
import { originsOf, transferAt, transferCount, watchedTransfers } from './packedTransfers.ts'
import { outcomeSize, type ScannedReceipts } from './scanReceipts.ts'

/**
 * Whether a block can be read from its scanned receipts: they are its own, and show all that is needed. A
 * receipt's `contractAddress` is not among that: of a creation without nonce the reader of JavaScript takes
 * it.
 */
export function isWholeBy(rules: EvmRules, block: RpcBlock, scanned: ScannedReceipts): boolean {
  const { transactions } = block
  if (!Array.isArray(transactions) || rules.keepEmpty || scanned.outcomes === null) return false
  const hashes = transactions.map((each: RpcTransaction | null) => each?.hash)
  return (
    areOfBlock(rules, block, hashes, scanned) &&
    !transactions.some(({ to, from, nonce }) => !to && from && nonce === undefined)
  )
}

/** The types in the receipts, by transaction. */
export const typesIn = ({ transactions }: RpcBlock, { outcomes }: ScannedReceipts): Map<string, number> =>
  new Map(transactions.map(({ hash }, index) => [hash, outcomes?.[index * outcomeSize + 1] as number]))

/**
 * A block by its transactions and scanned receipts: see `movementsOfReceipts`. Transfers in logs become
 * objects where they are read.
 */
export function wholeBlock(
  rules: EvmRules,
  header: BlockHeader,
  source: string,
  raw: RpcBlock,
  scanned: ScannedReceipts,
  withdrawals: readonly Transfer[],
): Block {
  const rows = rowsOf(rules, raw, scanned)
  storableTransfers([...rows.filter((row) => typeof row !== 'number'), ...withdrawals])
  let transfers: Transfer[] | null = null
  return {
    ...header,
    source,
    traced: scanned.nativeByEvents,
    packed: packed(scanned, rows, withdrawals),
    get transfers() {
      transfers ??= [
        ...rows.map((row) => (typeof row === 'number' ? transferAt(scanned, row) : row)),
        ...withdrawals,
      ]
      return transfers
    },
  }
}

/** The same block with its internal transfers. A copy of all members would unpack it. */
export function withInternals(block: Block, internals: readonly Transfer[]): Block {
  const { packed, height, id, parentId, time, source } = block
  if (!packed) return { ...block, transfers: [...block.transfers, ...internals], traced: true }
  let transfers: Transfer[] | null = null
  return {
    height,
    id,
    parentId,
    time,
    source,
    traced: true,
    packed: { ...packed, matching: (watches) => [...packed.matching(watches), ...internals] },
    get transfers() {
      transfers ??= [...block.transfers, ...internals]
      return transfers
    },
  }
}

/** A transaction's own value, or the index of a transfer in a log. In the order of the chain. */
type Row = Transfer | number

function rowsOf(rules: EvmRules, { transactions }: RpcBlock, scanned: ScannedReceipts): Row[] {
  const byHash = new Map(transactions.map((transaction) => [transaction.hash, transaction]))
  const rows: Row[] = []
  const count = transferCount(scanned)
  const originOf = originsOf(scanned)
  let next = 0
  for (const [receipt, { hash }] of transactions.entries()) {
    const transaction = byHash.get(hash) as RpcTransaction
    const hasSucceeded = scanned.outcomes?.[receipt * outcomeSize] === 1
    const native = hasSucceeded ? nativeOf(rules, transaction, createdBy(transaction)) : null
    if (native) rows.push(native)
    const minted = mintedBy(rules, transaction, hasSucceeded)
    if (minted) rows.push(minted)
    let carried = native
    for (; next < count; next++) {
      const origin = originOf(next)
      if (origin.receipt !== receipt) break
      // The first log that equals the transaction's own value is that value, not a second transfer.
      if (origin.isNative && carried && isSame(carried, transferAt(scanned, next))) carried = null
      else rows.push(next)
    }
  }
  return rows
}

function packed(
  scanned: ScannedReceipts,
  rows: readonly Row[],
  withdrawals: readonly Transfer[],
): PackedMovements {
  return {
    matching(watches) {
      const isWatched = watchedTransfers(scanned, watches)
      const found: Transfer[] = []
      for (const row of rows) {
        if (typeof row !== 'number') found.push(row)
        else if (isWatched(row)) found.push(transferAt(scanned, row))
      }
      return [...found, ...withdrawals]
    },
    touches: () => false,
  }
}
