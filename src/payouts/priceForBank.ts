import type { Queryable } from '../platform/db.ts'
import { tokenDecimals } from './decimals.ts'
import type { BankPrice, Outflow } from './outflow.ts'
import type { OutflowPartner } from './outflowPartner.ts'
import { type BankTerms, type Split, splitForBank } from './splitAmount.ts'

/** The price of a bank payout, with the parts that the platform keeps. */
export type Priced = Split & { price: BankPrice }

/**
 * Prices a bank payout that has no price: by the rate and the fee that its session has promised in this currency, or by those of now.
 * @returns why it has none
 */
export async function priceForBank(
  ctx: { db: Queryable; partner: Pick<OutflowPartner, 'rates'> },
  outflow: Outflow & { businessId: string },
  currency: string,
): Promise<Priced | 'rates_unavailable' | 'amount_too_small'> {
  const terms = (await promised(ctx.db, outflow, currency)) ?? (await current(ctx, outflow, currency))
  if (!terms) return 'rates_unavailable'
  const { rateAt, rateSource, ...of } = terms
  const split = splitForBank(outflow.amount, tokenDecimals(outflow.chain, outflow.token), of)
  if (!split) return 'amount_too_small'
  const { localAmount, localFee, ...parts } = split
  return { ...parts, price: { localAmount, localFee, rate: of.rate, rateAt, rateSource } }
}

type Terms = BankTerms & Pick<BankPrice, 'rateAt' | 'rateSource'>

async function promised(db: Queryable, { sessionId, businessId }: Outflow, currency: string): Promise<Terms | null> {
  if (sessionId === null) return null
  const [session] = await db.query<{ rate: string; rateAt: Date | null; rateSource: string | null; margin: string; fee: string; amount: string }>(
    `select trim_scale(rate)::text as rate, rate_at as "rateAt", rate_source as "rateSource", trim_scale(fx_margin_percent)::text as margin,
       trim_scale(fee)::text as fee, amount_expected::text as amount
     from pos_sessions where id = $1 and business_id = $2 and local_currency = $3 and fee_currency = $3 and rate is not null`,
    [sessionId, businessId, currency],
  )
  if (!session) return null
  const { rate, rateAt, rateSource, margin, fee, amount } = session
  return { rate, currency, fxMarginPercent: margin, fee: { local: fee, of: BigInt(amount) }, rateAt, rateSource }
}

async function current(
  { db, partner }: { db: Queryable; partner: Pick<OutflowPartner, 'rates'> },
  { businessId }: Outflow,
  currency: string,
): Promise<Terms | null> {
  const mid = await partner.rates.midOrNull(currency)
  const [business] = await db.query<{ fee: string; margin: string }>(
    'select trim_scale(fee_percent)::text as fee, trim_scale(fx_margin_percent)::text as margin from businesses where id = $1',
    [businessId],
  )
  if (!mid || !business) return null
  return { rate: mid.rate, currency, fxMarginPercent: business.margin, fee: { percent: business.fee }, rateAt: mid.at, rateSource: mid.source }
}
