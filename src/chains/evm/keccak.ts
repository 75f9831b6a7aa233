import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/**
 * Keccak-256. By WebAssembly, because every receipt of every block goes through it: 0.7 µs for 32 bytes and 2.4 µs for 600,
 * where the fastest in plain JavaScript took 4.4 and 20.
 */
export const keccak256 = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary')
