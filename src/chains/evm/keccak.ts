import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/**
 * Keccak-256 in WebAssembly, because every receipt of every block is hashed: 0.7 µs for 32 bytes and 2.4 µs
 * for 600. The fastest in plain JavaScript took 4.4 and 20 µs.
 */
export const keccak256 = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary')
