import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import type { Computation } from '../../../platform/computeThreads.ts'
import { copyInto, loadModule, type WasmGlobal, type WasmMemory } from '../../../platform/webAssembly.ts'
import type { HeaderFields } from './header.ts'

/** A block as it was read from the bytes of its answer. */
export interface ScannedBlock extends HeaderFields {
  /**
   * The addresses of `touchedAddresses`, in its order: `touchedWidth` bytes each, base58 filled up with
   * zeros, as `solanaAddress.bytes` returns.
   */
  touched: Uint8Array
}

export const touchedWidth = 44

/** Exports of wasm/solanaBlock.ts. */
interface BlockModule {
  memory: WasmMemory
  textAt: WasmGlobal
  blockAt: WasmGlobal
  touchedAt: WasmGlobal
  scan(length: number, id: number, salt: number, whole: boolean): number
}

/** Bytes. Memory never shrinks; no block comes near this. */
const maxAnswer = 64 * 1024 * 1024

const salt = randomInt(2 ** 32)
let loaded: BlockModule | null = null

/** `scanBlock`, for a thread. */
export const scanningBlock: Computation<[id: number], ScannedBlock | null> = {
  module: import.meta.url,
  name: 'scanBlock',
  compute: scanBlock,
}

/**
 * Reads the answer to `getBlock` with `transactionDetails: accounts`.
 * @param id of the request
 * @param whole with `transactionDetails: full`
 * @returns null for an answer that is not plain: the reader of JavaScript decides. Otherwise what that reader
 * would return
 */
export function scanBlock(answer: readonly Uint8Array[], id: number, whole = false): ScannedBlock | null {
  const length = answer.reduce((sum, chunk) => sum + chunk.length, 0)
  if (length > maxAnswer) return null
  loaded ??= loadModule<BlockModule>(join(import.meta.dirname, 'block.wasm'))
  const { memory, textAt, blockAt, touchedAt, scan } = loaded
  copyInto(memory, textAt.value, answer, length)
  const count = scan(length, id, salt, whole)
  if (count < 0) return null
  const block = new DataView(memory.buffer, blockAt.value, 32)
  const text = (at: number) =>
    Buffer.from(memory.buffer, block.getUint32(at, true), block.getUint32(at + 4, true)).toString('latin1')
  return {
    blockhash: text(0),
    previousBlockhash: text(8),
    parentSlot: block.getFloat64(16, true),
    blockTime: block.getFloat64(24, true),
    touched: new Uint8Array(memory.buffer, touchedAt.value, count * touchedWidth).slice(),
  }
}
