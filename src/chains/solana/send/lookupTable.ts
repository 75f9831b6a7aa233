import { base58 } from '@scure/base'
import type { Account } from '../chainState.ts'

const program = 'AddressLookupTab1e1111111111111111111111111'
/**
 * Its state has a kind, two slots and an authority; the addresses follow (Solana docs, "Address Lookup
 * Tables").
 */
const headBytes = 56
const addressBytes = 32
const tableKind = 1
const deactivationAt = 4
const notDeactivated = 2n ** 64n - 1n

/** The addresses of an active lookup table, in their order; null for any other account. */
export function tableAddresses(account: Account | null): string[] | null {
  if (account?.owner !== program) return null
  const { data } = account
  const count = (data.length - headBytes) / addressBytes
  if (count < 0 || !Number.isInteger(count)) return null
  if (data.readUInt32LE(0) !== tableKind || data.readBigUInt64LE(deactivationAt) !== notDeactivated)
    return null
  const at = (index: number) => headBytes + index * addressBytes
  return Array.from({ length: count }, (_, i) =>
    base58.encode(Uint8Array.from(data.subarray(at(i), at(i + 1)))),
  )
}
