import { readRecipientAddress } from '../chains/recipientAddress.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { parsePrivateKey } from '../wallets/storeWallet.ts'
import { type ReadSwapContext, readSwap, type SwapRequest, type WantedSwap } from './readSwap.ts'

export interface ExecutionRequest extends SwapRequest {
  privateKey: string
  toAddress?: string
  /** Whole units. */
  minBuyAmount?: string
}

export interface WantedExecution extends WantedSwap {
  /** Normal forms. */
  from: string
  to: string
  key: Secret
}

/**
 * Reads a request, without the chain or the provider.
 * @throws ApiError as `readSwap`; 400 naming the field: `invalid_private_key`, `invalid_address`,
 * `wrong_chain_address`; 422
 *   `recipient_is_token`, `recipient_without_key`
 */
export function readExecution(
  ctx: ReadSwapContext,
  { privateKey, toAddress, ...request }: ExecutionRequest,
): WantedExecution {
  const wanted = readSwap(ctx, request)
  const { chain } = wanted
  const { address: from, privateKey: key } = parsePrivateKey(chain, new Secret(privateKey), 'privateKey')
  if (toAddress === undefined) {
    if (chain.family === 'solana')
      throw invalidBody({ field: 'toAddress', message: 'is required on solana', code: 'required' })
    return { ...wanted, from, to: from, key }
  }
  const to = readRecipientAddress(chain, toAddress, 'toAddress')
  refuseOwnTokens(wanted, to)
  return { ...wanted, from, to, key }
}

/** The registry knows only some tokens: those of the swap are tokens, too. */
function refuseOwnTokens({ sell, buy }: WantedSwap, to: string): void {
  if (to !== sell.token && to !== buy.token) return
  const message = 'is the address of a token, not of a wallet'
  throw new ApiError(422, 'recipient_is_token', `toAddress: ${message}`, {
    fields: [{ field: 'toAddress', message }],
  })
}
