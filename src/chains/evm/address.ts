import type { AddressCodec } from '../chain.ts'
import { keccak256 } from './keccak.ts'

const hexAddress = /^0x[0-9a-f]{40}$/i

/** EIP-55: a letter is upper case where the hash of the lower-case address has a digit of 8 or more. */
function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak256(Buffer.from(digits))).toString('hex')
  return `0x${[...digits].map((digit, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

const isLowerCase = (text: string) => text === text.toLowerCase()

/** EVM addresses: lower-case hex inside, EIP-55 outside. Mixed case with a wrong checksum is refused. */
export const evmAddress: AddressCodec = {
  normalise: (text) =>
    hexAddress.test(text) && text.startsWith('0x') && (isLowerCase(text) || checksummed(text) === text) ? text.toLowerCase() : null,
  display: checksummed,
  // Node's own decoder: this runs for every transfer of every block.
  bytes: (address) => Buffer.from(address.slice(2), 'hex'),
}
