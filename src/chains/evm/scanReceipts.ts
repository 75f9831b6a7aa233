import { join } from 'node:path'
import { loadWasm, roomIn, type WasmMemory } from '../loadWasm.ts'

/** wasm/receipts.ts. Places are offsets in its memory. */
interface ReceiptsModule extends WasmMemory {
  textAt(): number
  roomFor(length: number): number
  nativeLogAt(): number
  scan(length: number, id: number, withRoot: boolean, withNativeLog: boolean): number
  rootAt(): number
  bloomAt(): number
  blockHashAt(): number
  hashesAt(): number
  transfersAt(): number
  transfersEnd(): number
  touchedAt(): number
  touchedEnd(): number
  isNativeByEvents(): number
}

/** The receipts of a block, read from the bytes of a node's answer. */
export interface ScannedReceipts {
  /** The receipts root, in hex; null if it was not asked for. */
  root: string | null
  /** The bloom of all logs. */
  bloom: Uint8Array
  /** The hashes of the transactions in 64 digits each, one after the other. */
  hashes: Buffer
  /** The hash of the block in 64 digits; empty if it has no receipts. */
  blockHash: string
  /** `transferSize` bytes each: see wasm/evm/transfers.ts. */
  transfers: Buffer
  /** Accounts that may have moved the native coin: 20 bytes each, with repetitions. */
  touched: Buffer
  nativeByEvents: boolean
}

const module = loadWasm<ReceiptsModule>(join(import.meta.dirname, 'receipts.wasm'))

/** Longer answers are read by JavaScript: the module's memory does not shrink. */
const maxLength = 16 << 20

/**
 * Reads an answer to `eth_getBlockReceipts`.
 * @param id of the request
 * @param nativeLog the contract that logs transfers of the native coin, in lowercase
 * @returns null where the answer is not understood: it may be right or wrong
 */
export function scanReceipts(
  answer: readonly Uint8Array[],
  id: number,
  { withRoot, nativeLog }: { withRoot: boolean; nativeLog: string | null },
): ScannedReceipts | null {
  const length = answer.reduce((sum, chunk) => sum + chunk.length, 0)
  if (length > maxLength) return null
  const memory = roomIn(module, module.roomFor(length))
  let at = module.textAt()
  for (const chunk of answer) {
    memory.set(chunk, at)
    at += chunk.length
  }
  if (nativeLog !== null) memory.set(Buffer.from(nativeLog.slice(2), 'hex'), module.nativeLogAt())
  const count = module.scan(length, id, withRoot, nativeLog !== null)
  if (count < 0) return null
  const copy = (from: number, to: number) => Buffer.from(memory.subarray(from, to))
  const text = (from: number, size: number) => Buffer.from(memory.buffer, from, size).toString('latin1')
  return {
    root: withRoot ? `0x${Buffer.from(memory.buffer, module.rootAt(), 32).toString('hex')}` : null,
    bloom: copy(module.bloomAt(), module.bloomAt() + 256),
    hashes: copy(module.hashesAt(), module.hashesAt() + count * 64),
    blockHash: count === 0 ? '' : text(module.blockHashAt(), 64),
    transfers: copy(module.transfersAt(), module.transfersEnd()),
    touched: copy(module.touchedAt(), module.touchedEnd()),
    nativeByEvents: module.isNativeByEvents() !== 0,
  }
}
