import { getAddress, type Hex, hexToBytes, isAddress } from 'viem'
import type { AddressCodec } from '../chain.ts'

/** EVM addresses: lower-case hex inside, EIP-55 outside. Mixed case with a wrong checksum is refused. */
export const evmAddress: AddressCodec = {
  normalise: (text) => (isAddress(text, { strict: text !== text.toLowerCase() }) ? text.toLowerCase() : null),
  display: (address) => getAddress(address),
  bytes: (address) => hexToBytes(address as Hex),
}
