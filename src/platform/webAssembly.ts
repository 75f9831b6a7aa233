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
