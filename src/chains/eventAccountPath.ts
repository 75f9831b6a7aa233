import { createHash } from 'node:crypto'

/** Next to the branches of the treasury (0) and of deposits (1). */
const branch = "m/44'/501'/2'"
const [steps, hardened] = [4, 2 ** 31]

/**
 * Where the seed has the key of an event account on Solana: its id, hashed into steps of 31 bits (SLIP-10 has
 * no other ones on this curve).
 */
export function eventAccountPath(id: string): string {
  const hash = createHash('sha256').update(`cowry bridge event account ${id}`).digest()
  const numbers = Array.from({ length: steps }, (_, i) => hash.readUInt32BE(4 * i) % hardened)
  return [branch, ...numbers.map((number) => `${number}'`)].join('/')
}
