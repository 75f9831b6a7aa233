import { checksummedDigits } from '../addressHash.ts'
import type { AddressCodec } from '../chain.ts'
import { createRemembered } from '../providers/remembered.ts'

const form = /^0x[0-9a-fA-F]{40}$/

/** A checksum takes a hash of 30 µs, and events repeat the contract, the watched address and the sender. */
const shown = createRemembered<string>(4096)

function checksummed(address: string): string {
  if (!form.test(address)) throw new Error(`${address} is not an EVM address`)
  const lower = address.toLowerCase()
  const known = shown.get(lower)
  if (known !== undefined) return known
  const display = `0x${checksummedDigits(lower.slice(2))}`
  shown.keep(lower, display)
  return display
}

/**
 * EVM addresses: stored in lower-case hex, shown with EIP-55 checksums. Letters of one case carry no checksum
 * (EIP-55); mixed case with a wrong one is refused.
 */
export const evmAddress: AddressCodec = {
  normalise(text) {
    if (!form.test(text)) return null
    const lower = text.toLowerCase()
    const digits = text.slice(2)
    return text === lower || digits === digits.toUpperCase() || text === checksummed(text) ? lower : null
  },
  hasWrongChecksum: (text) => form.test(text) && evmAddress.normalise(text) === null,
  display: checksummed,
  // Buffer's native decoder: this runs for every transfer of every block.
  bytes: (address) => Buffer.from(address.slice(2), 'hex'),
}
