import { ApiError } from '../platform/errors.ts'
import { isTokenAddress, refuseKeyless } from './keylessAddress.ts'
import { readAddress } from './readAddress.ts'
import type { Chain } from './registry.ts'

/**
 * Reads an address to which money is to go, wherever a request names one. Asks no chain.
 * @returns the normal form
 * @throws ApiError 400 as `readAddress`; 422 `recipient_is_token`, `recipient_without_key` naming `field`
 */
export function readRecipientAddress(chain: Chain, text: string, field: string): string {
  const address = readAddress(chain, text, field)
  if (isTokenAddress(chain, address)) {
    const message = 'is the address of a token, not of a wallet'
    throw new ApiError(422, 'recipient_is_token', `${field}: ${message}`, { fields: [{ field, message }] })
  }
  refuseKeyless(chain.family, address, field)
  return address
}
