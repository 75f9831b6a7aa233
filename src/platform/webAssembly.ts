import { readFileSync } from 'node:fs'

/** The parts of WebAssembly's JavaScript API that are used. Its types belong to browsers, whose other types would hide mistakes here. */
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

/**
 * Copies chunks, one after the other, into a module's memory from `start` on. Grows it to at least `room` bytes; earlier views end then.
 * @returns the whole memory
 */
export function copyInto(memory: WasmMemory, start: number, chunks: readonly Uint8Array[], room: number): Uint8Array {
  const missing = room - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
  const bytes = new Uint8Array(memory.buffer)
  let at = start
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
