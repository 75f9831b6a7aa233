import { tokenDecimals } from '../../chains/tokenDecimals.ts'
import type { Queryable } from '../../platform/database/db.ts'
import type { Outflow, StoredPrice } from '../outflow.ts'
import { type Split, splitForBank } from '../splitAmount.ts'
import type { OutflowPartner } from './outflowPartner.ts'

/** The price of a bank payout, with the parts that the platform keeps. */
export type Priced = Split & { price: StoredPrice }

/**
 * Prices a bank payout that has no price, or an old one, by the rate, the fee and the margin of now. What was
 * agreed to stays: the first price agrees to itself.
 * @returns why it has no price
 */
export async function priceForBank(
  { db, partner }: { db: Queryable; partner: Pick<OutflowPartner, 'rates'> },
  {
    businessId,
    chain,
    token,
    amount,
    bank,
  }: Pick<Outflow, 'chain' | 'token' | 'amount' | 'bank'> & { businessId: string },
  currency: string,
): Promise<Priced | 'rates_unavailable' | 'amount_too_small'> {
  const mid = await partner.rates.midOrNull(currency)
  const [business] = await db.query<{ fee: string; margin: string }>(
    'select trim_scale(fee_percent)::text as fee, trim_scale(fx_margin_percent)::text as margin from businesses where id = $1',
    [businessId],
  )
  if (!mid || !business) return 'rates_unavailable'
  const { rate, at: rateAt, source: rateSource } = mid
  const terms = { rate, currency, fxMarginPercent: business.margin, fee: { percent: business.fee } }
  const split = splitForBank(amount, tokenDecimals(chain, token), terms)
  if (!split) return 'amount_too_small'
  const { localAmount, localFee, ...parts } = split
  const agreedAmount = bank?.price?.agreedAmount ?? localAmount
  return {
    ...parts,
    price: { localAmount, localFee, rate, rateAt, rateSource, pricedAt: new Date(), agreedAmount },
  }
}
