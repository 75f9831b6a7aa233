import { type ConfiguredChain, tokenOf } from '../chains/registry.ts'
import { tokenUnavailable } from '../chains/requireChain.ts'
import type { DestinationRow } from '../destinations/destination.ts'
import { splitForBank, splitForWallet } from '../outflows/splitAmount.ts'
import type { NewOutflow } from '../outflows/storeOutflow.ts'
import { partnerNotConfigured } from '../partnerPayments/partnerNotConfigured.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import type { Rates } from '../pricing/rates.ts'
import type { PayoutSource, PayoutTarget } from './readPayout.ts'

/** Percent, of the business. */
export interface Terms {
  feePercent: string
  fxMarginPercent: string
}

export interface PricingContext {
  chains: readonly ConfiguredChain[]
  /** Both null without a payout partner. */
  payoutRates: Rates | null
  paymentPartner: { name: string } | null
}

/** What goes where, and what the platform keeps of it. */
export type PricedPayout = Required<Pick<NewOutflow, 'fee' | 'margin' | 'rounding' | 'wallet' | 'bank'>>

/**
 * Prices a payout at this moment.
 * @throws ApiError 400 naming `destination`; 422 `amount_too_small`, `token_unavailable`,
 * 503 `partner_not_configured`, `rates_unavailable`
 */
export async function pricePayout(
  ctx: PricingContext,
  source: PayoutSource,
  target: PayoutTarget,
  terms: Terms,
): Promise<PricedPayout> {
  const place = placeOf(target)
  return place.kind === 'wallet' ? forWallet(ctx, source, place, terms) : forBank(ctx, source, place, terms)
}

type Place =
  | { kind: 'wallet'; chain: string; address: string; memo: NonNullable<NewOutflow['wallet']>['memo'] }
  | { kind: 'bank'; networkId: string; currency: string }

function placeOf(target: PayoutTarget): Place {
  if ('saved' in target) return placeOfRow(target.saved)
  const { fresh } = target
  if (fresh.kind === 'bank') return { kind: 'bank', networkId: fresh.bank.id, currency: fresh.currency }
  return { kind: 'wallet', chain: fresh.chain.name, address: fresh.address, memo: fresh.memo }
}

function placeOfRow({ id, chain, address, memo, memoType, networkId, currency }: DestinationRow): Place {
  if (chain !== null && address !== null)
    return {
      kind: 'wallet',
      chain,
      address,
      memo: memo !== null && memoType !== null ? { value: memo, type: memoType } : null,
    }
  if (networkId === null || currency === null)
    throw new Error(`destination ${id} is neither a wallet nor a bank account`)
  return { kind: 'bank', networkId, currency }
}

function forWallet(
  { chains }: PricingContext,
  source: PayoutSource,
  place: Place & { kind: 'wallet' },
  terms: Terms,
): PricedPayout {
  const chain = chains.find(({ name }) => name === place.chain)
  const token = chain && tokenOf(chain, source.token.symbol)
  if (!token) {
    const message = tokenUnavailable(source.token.symbol, place.chain)
    throw new ApiError(422, 'token_unavailable', `destination: ${message}`, {
      fields: [{ field: 'destination', message }],
    })
  }
  const split = splitForWallet(source.amount, { from: source.token.decimals, to: token.decimals }, terms)
  if (!split) throw tooSmall()
  const { received, ...parts } = split
  return {
    ...parts,
    wallet: {
      chain: place.chain,
      token: token.symbol,
      address: place.address,
      memo: place.memo,
      amount: received,
    },
    bank: null,
  }
}

async function forBank(
  ctx: PricingContext,
  source: PayoutSource,
  place: Place & { kind: 'bank' },
  terms: Terms,
): Promise<PricedPayout> {
  const { payoutRates, paymentPartner } = ctx
  if (!payoutRates || !paymentPartner) throw partnerNotConfigured()
  const { networkId, currency } = place
  const mid = await payoutRates.mid(currency).catch((error) => {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    throw invalidBody({
      field: 'destination',
      message: `the partner has no rate for ${currency}`,
      code: 'unknown_currency',
    })
  })
  const { fxMarginPercent, feePercent } = terms
  const split = splitForBank(source.amount, source.token.decimals, {
    rate: mid.rate,
    currency,
    fxMarginPercent,
    fee: { percent: feePercent },
  })
  if (!split) throw tooSmall()
  const { localAmount, localFee, ...parts } = split
  const price = { localAmount, localFee, rate: mid.rate, rateAt: mid.at, rateSource: mid.source }
  return { ...parts, wallet: null, bank: { partner: paymentPartner.name, networkId, currency, price } }
}

function tooSmall(): ApiError {
  const message = 'leaves nothing to pay after the fee'
  return new ApiError(422, 'amount_too_small', `amount: ${message}`, {
    fields: [{ field: 'amount', message }],
  })
}
