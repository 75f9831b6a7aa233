import { getAddress, isAddress } from 'viem/utils'
import type { AddressCodec } from '../chain.ts'

/** EVM addresses: lower-case hex inside, EIP-55 outside. Mixed case with a wrong checksum is refused. */
export const evmAddress: AddressCodec = {
  normalise: (text) => (isAddress(text, { strict: text !== text.toLowerCase() }) ? text.toLowerCase() : null),
  display: (address) => getAddress(address),
  // Node's own decoder: this runs for every transfer of every block.
  bytes: (address) => Buffer.from(address.slice(2), 'hex'),
}
