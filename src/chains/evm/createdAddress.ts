import { keccak256 } from './keccak.ts'
import { createRlpWriter } from './rlp.ts'

const writer = createRlpWriter()

/**
 * The contract that a transaction creates: the last twenty bytes of the hash of `[sender, nonce]` (Yellow Paper, section 7).
 * @param from sender, as hex
 * @param nonce as hex
 * @returns lower-case hex
 * @throws where a node answered neither
 */
export function createdAddress(from: string, nonce: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(from)) throw new Error(`the sender ${from.slice(0, 100)} is not an address`)
  if (!/^0x[0-9a-f]{1,16}$/i.test(nonce)) throw new Error(`the nonce ${nonce.slice(0, 100)} is not a number of 64 bits in hex`)
  writer.reset(64)
  const end = writer.at
  writer.hexNumber(nonce)
  writer.hex(from)
  writer.listSince(end)
  return `0x${Buffer.from(keccak256(writer.since(end)).subarray(12)).toString('hex')}`
}
