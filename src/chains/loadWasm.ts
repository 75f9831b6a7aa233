import { readFileSync } from 'node:fs'

/** A module that was compiled from wasm/: its memory, and its functions. */
export interface WasmMemory {
  readonly memory: WebAssembly.Memory
}

/** @param file the path of a module that imports nothing */
export const loadWasm = <Exports extends WasmMemory>(file: string): Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file))).exports as unknown as Exports

const pageSize = 65_536

/** The module's memory, grown to at least `length` bytes. The view is valid until it grows again. */
export function roomIn({ memory }: WasmMemory, length: number): Uint8Array {
  const missing = length - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageSize))
  return new Uint8Array(memory.buffer)
}
