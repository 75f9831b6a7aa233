import { keccak256 } from '../keccak.ts'

/**
 * Log blooms: 2048 bits, three set for each address and topic (Yellow Paper, section 4.3.1).
 */

/** @param item an address or a topic, in hex */
export function addToBloom(bloom: Uint8Array, item: string): void {
  const hash = keccak256(Buffer.from(item.slice(2), 'hex'))
  for (let pair = 0; pair < 6; pair += 2) {
    const bit = (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047
    const at = 255 - (bit >> 3)
    bloom[at] = (bloom[at] as number) | (1 << (bit & 7))
  }
}

export function bloomOf(logs: Iterable<{ address: string; topics: readonly string[] }>): Uint8Array {
  const bloom = new Uint8Array(256)
  // Contracts and topics repeat, and hashing dominates the cost.
  const seen = new Set<string>()
  const add = (item: string) => {
    if (seen.has(item)) return
    seen.add(item)
    addToBloom(bloom, item)
  }
  for (const log of logs) {
    add(log.address)
    for (const topic of log.topics) add(topic)
  }
  return bloom
}

export const bloomEquals = (bytes: Uint8Array, bloom: string): boolean =>
  Buffer.from(bloom.slice(2), 'hex').equals(bytes)
