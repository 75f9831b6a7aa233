import { type Hex, keccak256 } from 'viem'

/**
 * Log blooms: 2048 bits, three set for each address and topic (Ethereum Yellow Paper, section 4.3.1).
 */

/** Adds an item (address or topic, as hex) to a bloom of 256 bytes. */
export function addToBloom(bloom: Uint8Array, item: Hex): void {
  const hash = keccak256(item, 'bytes')
  for (let pair = 0; pair < 6; pair += 2) {
    const bit = (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047
    const at = 255 - (bit >> 3)
    bloom[at] = (bloom[at] as number) | (1 << (bit & 7))
  }
}

/** The bloom of a list of logs. */
export function bloomOf(logs: readonly { address: string; topics: readonly string[] }[]): Uint8Array {
  const bloom = new Uint8Array(256)
  // The same contracts and topics come again and again, and hashing is what this costs.
  for (const item of new Set(logs.flatMap((log) => [log.address, ...log.topics]))) addToBloom(bloom, item as Hex)
  return bloom
}
