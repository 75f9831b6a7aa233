import { ApiError } from '../platform/errors.ts'
import { isBridgeOf, isTokenAddress, keylessReason } from './keylessAddress.ts'
import { readAddress } from './readAddress.ts'
import type { Chain } from './registry.ts'

/**
 * Reads an address to which money is to go, wherever a request names one. Reads no chain.
 * @returns the normal form
 * @throws ApiError 400 as `readAddress`; 422 `recipient_is_token`, `recipient_without_key` naming `field`
 */
export function readRecipientAddress(chain: Chain, text: string, field: string): string {
  const address = readAddress(chain, text, field)
  const problem = recipientProblem(chain, address)
  if (problem === null) return address
  const { code, message } = problem
  throw new ApiError(422, code, `${field}: ${message}`, { fields: [{ field, message }] })
}

interface RecipientProblem {
  code: 'recipient_is_token' | 'recipient_without_key'
  /** A predicate, such as `is the zero address: …`. */
  message: string
}

/**
 * Why an address cannot receive money. Reads no chain. @param address normal form @returns null where nothing
 * is known against it
 */
export function recipientProblem(chain: Chain, address: string): RecipientProblem | null {
  if (isTokenAddress(chain, address))
    return { code: 'recipient_is_token', message: 'is the address of a token, not of a wallet' }
  const reason =
    keylessReason(chain.family, address) ??
    (isBridgeOf(chain, address) ? "is a contract of Circle's bridge" : null)
  return reason === null
    ? null
    : { code: 'recipient_without_key', message: `${reason}: nobody can move what is sent there` }
}
