import type { Memo } from '../chains/chain.ts'
import type { MemoRequest } from '../chains/readMemo.ts'
import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import { requireChain, tokenUnavailable } from '../chains/requireChain.ts'
import { readRecipient } from '../destinations/readDestination.ts'
import { invalidBody } from '../platform/errors.ts'
import type { WantedAmount } from './refundable.ts'

export interface RefundRequest extends WantedAmount, MemoRequest {
  chain?: string
  token?: string
  toAddress?: string
  claim?: true
}

export interface CheckedRefund {
  chain: ConfiguredChain
  token: string
  /** In its normal form; null: the customer names one. */
  to: { address: string; memo: Memo | null } | null
}

/**
 * Checks that the request has an amount and a recipient, in one way each.
 * @throws ApiError 400 naming each wrong field
 */
export function requireRefundForm(wanted: RefundRequest): void {
  requireOneOf(wanted, 'kind', 'amount')
  requireOneOf(wanted, 'toAddress', 'claim')
  if (wanted.claim === undefined) return
  const ofAddress = (['memo', 'memoType'] as const).filter((field) => wanted[field] !== undefined)
  if (ofAddress.length > 0)
    throw invalidBody(
      ...ofAddress.map((field) => ({
        field,
        message: 'is only for toAddress: the customer names it',
        code: 'not_possible' as const,
      })),
    )
}

/**
 * Checks the asset and the address.
 * @param session its asset, which is the default
 * @throws ApiError 400 naming each wrong field; 422 `recipient_is_token`, `recipient_without_key`
 */
export function readRefundRequest(
  ctx: { chains: readonly ConfiguredChain[] },
  session: { chain: string; token: string },
  wanted: RefundRequest,
): CheckedRefund {
  const chain = requireChain(ctx, wanted.chain ?? session.chain)
  const token = wanted.token ?? session.token
  if (!assetsOf(chain).some(({ symbol }) => symbol === token))
    throw invalidBody({
      field: 'token',
      message: tokenUnavailable(token, chain.name),
      code: 'unavailable_token',
    })
  const { toAddress } = wanted
  return {
    chain,
    token,
    to: toAddress === undefined ? null : readRecipient(chain, { ...wanted, address: toAddress }, 'toAddress'),
  }
}

function requireOneOf(wanted: RefundRequest, one: keyof RefundRequest, other: keyof RefundRequest): void {
  if ((wanted[one] === undefined) !== (wanted[other] === undefined)) return
  const message =
    wanted[one] === undefined ? `give ${one} or ${other}` : `give ${one} or ${other}, and not both`
  const code = wanted[one] === undefined ? 'required' : 'not_both'
  throw invalidBody({ field: one, message, code }, { field: other, message, code })
}
