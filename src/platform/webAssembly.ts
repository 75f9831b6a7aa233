import { readFileSync } from 'node:fs'

/**
 * The parts of WebAssembly's JavaScript API that are used. Its types belong to browsers, whose other types
 * would hide mistakes here.
 */
interface Api {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** @param pages of 65,536 bytes */
  grow(pages: number): void
}

export interface WasmGlobal {
  readonly value: number
}

/** A new instance of a module that imports nothing; its exports. */
export function loadModule<Exports>(file: string): Exports {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Api }).WebAssembly
  return new Instance(new Module(readFileSync(file))).exports as Exports
}

const page = 65_536

/** Zeros after a text end every walk of it: see wasm/json.ts. */
const zeros = 64

/**
 * Copies the chunks of a text into a module's memory from `start` on, with zeros after it. Grows it to at
 * least `room` bytes, and as the text needs; earlier views end then.
 * @returns the whole memory
 */
export function copyInto(
  memory: WasmMemory,
  start: number,
  chunks: readonly Uint8Array[],
  length: number,
  room = 0,
): Uint8Array {
  const end = start + length
  const missing = Math.max(room, end + zeros) - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
  const bytes = new Uint8Array(memory.buffer)
  let at = start
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  bytes.fill(0, end, end + zeros)
  return bytes
}
