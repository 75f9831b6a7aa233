import { join } from 'node:path'
import { loadModule, type WasmMemory } from '../../../platform/webAssembly.ts'

/** wasm/receipts.ts. Places are offsets in its memory. */
interface ReceiptsModule {
  memory: WasmMemory
  textAt(): number
  roomFor(length: number): number
  nativeLogAt(): number
  scan(length: number, id: number, withRoot: boolean, withNativeLog: boolean, whole: boolean): number
  rootAt(): number
  bloomAt(): number
  blockHashAt(): number
  hashesAt(): number
  transfersAt(): number
  transfersEnd(): number
  touchedAt(): number
  touchedEnd(): number
  outcomesAt(): number
  isNativeByEvents(): number
  hashValues(list: number, count: number, scratch: number): void
}

let loaded: ReceiptsModule | null = null

/** One for all: each use is over before the next one starts. */
export function receiptsModule(): ReceiptsModule {
  loaded ??= loadModule<ReceiptsModule>(join(import.meta.dirname, 'receipts.wasm'))
  return loaded
}

/** Longer input is left to JavaScript: the module's memory does not shrink. */
export const maxLength = 16 << 20
