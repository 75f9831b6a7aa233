import type { Computation } from '../../../platform/computeThreads.ts'
import { copyInto } from '../../../platform/webAssembly.ts'
import { maxLength, receiptsModule } from './receiptsModule.ts'

/** The receipts of a block, read from the bytes of a node's answer. */
export interface ScannedReceipts {
  /** The receipts root, in hex; null if it was not requested. */
  root: string | null
  /** The bloom of all logs. */
  bloom: Uint8Array
  /** The hashes of the transactions as the node writes them, `hashLength` letters each. */
  hashes: Uint8Array
  /** The hash of the block; null if it has no receipts. */
  blockHash: string | null
  /** `transferSize` bytes each: see wasm/evm/transfers.ts. */
  transfers: Uint8Array
  /** Accounts that may have moved the native coin: 20 bytes each, with repetitions. */
  touched: Uint8Array
  nativeByEvents: boolean
  /** Of each receipt its status and its type, a byte each; null where only the accounts were requested. */
  outcomes: Uint8Array | null
}

interface ScanOptions {
  withRoot: boolean
  /** The contract that logs transfers of the native coin, in lowercase. */
  nativeLog: string | null
  /**
   * The block's transactions are read too: logged movements of the native coin are among the transfers, and
   * no account is `touched`.
   */
  whole?: boolean
}

/** `0x` and 64 digits. */
export const hashLength = 66

/** Bytes of `outcomes` for each receipt. */
export const outcomeSize = 2

/** `scanReceipts`, for a thread. */
export const scanningReceipts: Computation<[id: number, options: ScanOptions], ScannedReceipts | null> = {
  module: import.meta.url,
  name: 'scanReceipts',
  compute: scanReceipts,
}

/**
 * Reads an answer to `eth_getBlockReceipts`.
 * @param id of the request
 * @returns null where the answer is not understood: it may be right or wrong
 */
export function scanReceipts(
  answer: readonly Uint8Array[],
  id: number,
  { withRoot, nativeLog, whole = false }: ScanOptions,
): ScannedReceipts | null {
  const length = answer.reduce((sum, chunk) => sum + chunk.length, 0)
  if (length > maxLength) return null
  const module = receiptsModule()
  const memory = copyInto(module.memory, module.textAt(), answer, length, module.roomFor(length))
  if (nativeLog !== null) memory.set(Buffer.from(nativeLog.slice(2), 'hex'), module.nativeLogAt())
  const count = module.scan(length, id, withRoot, nativeLog !== null, whole)
  if (count < 0) return null
  const copy = (from: number, to: number) => memory.slice(from, to)
  const view = (from: number, length: number) => Buffer.from(memory.buffer, from, length)
  return {
    root: withRoot ? `0x${view(module.rootAt(), 32).toString('hex')}` : null,
    bloom: copy(module.bloomAt(), module.bloomAt() + 256),
    hashes: copy(module.hashesAt(), module.hashesAt() + count * hashLength),
    blockHash: count === 0 ? null : view(module.blockHashAt(), hashLength).toString('latin1'),
    transfers: copy(module.transfersAt(), module.transfersEnd()),
    touched: copy(module.touchedAt(), module.touchedEnd()),
    nativeByEvents: module.isNativeByEvents() !== 0,
    outcomes: whole ? copy(module.outcomesAt(), module.outcomesAt() + count * outcomeSize) : null,
  }
}
