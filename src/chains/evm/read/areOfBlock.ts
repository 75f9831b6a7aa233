import type { RpcHeader } from '../rpcTypes.ts'
import { bloomEquals } from './bloom.ts'
import type { EvmRules } from './movements.ts'
import { textOf } from './packedTransfers.ts'
import { hashLength, type ScannedReceipts } from './scanReceipts.ts'

/**
 * Whether the receipts are those of the block, each in its place, complete and unchanged. If not, they
 * may still be right: then the reader of JavaScript decides (`requireCompleteReceipts`).
 * @param transactions the hashes in the block
 */
export function areOfBlock(
  { trusted }: Pick<EvmRules, 'trusted'>,
  { hash, receiptsRoot, logsBloom }: RpcHeader,
  transactions: readonly unknown[],
  scanned: ScannedReceipts,
): boolean {
  if (!Array.isArray(transactions) || transactions.length * hashLength !== scanned.hashes.length) return false
  if (
    !transactions.every((each) => typeof each === 'string') ||
    transactions.join('') !== textOf(scanned.hashes)
  )
    return false
  // The reader of JavaScript refuses a transaction that is listed twice.
  if (new Set(transactions).size < transactions.length) return false
  if (scanned.blockHash !== null && scanned.blockHash !== hash) return false
  return trusted ? bloomEquals(scanned.bloom, logsBloom) : scanned.root === receiptsRoot
}
