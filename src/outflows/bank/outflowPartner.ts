import { dollars } from '../../ledger/entry.ts'
import { dollarDecimals, rescale } from '../../money/amount.ts'
import type { PartnerBalance, PaymentPartner } from '../../partnerPayments/partner.ts'
import type { Queryable } from '../../platform/database/db.ts'
import type { Rates } from '../../pricing/rates.ts'
import type { Proofs } from '../outflowPolicy.ts'
import type { PriceRules } from './priceRules.ts'

/** A payout partner as the worker has it. */
export interface OutflowPartner {
  payments: PaymentPartner
  rates: Pick<Rates, 'midOrNull'>
  prices: PriceRules
  /** What its account has, read a few seconds ago at most. @throws PartnerError */
  funds(): Promise<PartnerFunds>
  alarm(what: PartnerAlarm): void
  /** Verify what api and worker have proven of the payouts to it. */
  proofs: Proofs
}

/** Counted as `cowry_partner_alarms_total`. */
export const partnerAlarms = [
  'contradiction',
  'unconfirmed_end',
  'invalid_answer',
  'unknown_status',
  'no_cost',
  'cost_out_of_band',
  'lost_payment',
  'refusal_in_doubt',
  'not_authorized',
  'top_up_missing',
  'price_too_high',
  'price_changed',
] as const
export type PartnerAlarm = (typeof partnerAlarms)[number]

export interface PartnerFunds {
  /** Millionths of a US dollar, rounded down; negative if the account is overdrawn. */
  available: bigint
  /** When the request started, by the database's clock. */
  readAt: Date
}

const usuallyFreshMs = 5000

/** Reads the dollars of a partner's account, and keeps all its balances for the dashboard. */
export function createPartnerFunds(
  db: Queryable,
  payments: Pick<PaymentPartner, 'name' | 'balances'>,
  freshMs = usuallyFreshMs,
): () => Promise<PartnerFunds> {
  let last: { at: number; funds: Promise<PartnerFunds> } | null = null
  return () => {
    if (last === null || performance.now() - last.at > freshMs) {
      const funds = readFunds(db, payments)
      const asked = { at: performance.now(), funds }
      last = asked
      funds.catch(() => {
        if (last === asked) last = null
      })
    }
    return last.funds
  }
}

async function readFunds(
  db: Queryable,
  { name, balances }: Pick<PaymentPartner, 'name' | 'balances'>,
): Promise<PartnerFunds> {
  const [now] = await db.query<{ readAt: Date }>('select clock_timestamp() as "readAt"')
  const readAt = now?.readAt ?? new Date()
  const read = await balances()
  await db.query(
    `insert into partner_balances as kept (partner, currency, available, read_at)
     select $1, currency, sum(available), $4 from unnest($2::text[], $3::numeric[]) as b (currency, available) group by currency
     on conflict (partner, currency) do update set available = excluded.available, read_at = excluded.read_at where kept.read_at < excluded.read_at`,
    [name, read.map(({ currency }) => currency), read.map(({ available }) => available), readAt],
  )
  return { available: dollarsIn(read), readAt }
}

function dollarsIn(balances: readonly PartnerBalance[]): bigint {
  return balances
    .filter(({ currency }) => currency === dollars)
    .reduce((sum, { available }) => sum + millionthsOf(available, 'down'), 0n)
}

/** A decimal of the partner, which may be negative. */
export function millionthsOf(decimal: string, rounding: 'up' | 'down'): bigint {
  const isNegative = decimal.startsWith('-')
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.')
  const away = isNegative === (rounding === 'down')
  const value = rescale(
    { value: BigInt(whole + fraction), scale: fraction.length },
    dollarDecimals,
    away ? 'up' : 'down',
  )
  return isNegative ? -value : value
}
