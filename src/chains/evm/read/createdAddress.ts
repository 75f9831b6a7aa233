import { keccak256 } from '../keccak.ts'
import { createRlpWriter } from '../rlp.ts'

const writer = createRlpWriter()

/**
 * The address of the contract that a transaction creates: the last 20 bytes of the hash of `[sender, nonce]`
 * (Yellow Paper, section 7).
 * @param from hex
 * @param nonce hex
 * @returns lower-case hex
 * @throws where sender or nonce is malformed
 */
export function createdAddress(from: string, nonce: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(from)) throw new Error(`sender ${from.slice(0, 100)} is not an address`)
  if (!/^0x[0-9a-f]{1,16}$/i.test(nonce))
    throw new Error(`nonce ${nonce.slice(0, 100)} is not a 64-bit number in hex`)
  writer.reset(64)
  const end = writer.at
  writer.hexNumber(nonce)
  writer.hex(from)
  writer.listSince(end)
  return `0x${Buffer.from(keccak256(writer.since(end)).subarray(12)).toString('hex')}`
}
