import type { Queryable } from '../platform/database/db.ts'
import type { Anchor, RateRefusal, Sides } from './decideRate.ts'
import type { Rate, RatePartner } from './rates.ts'

export type RateSource = Pick<RatePartner, 'name' | 'url'>

/** A rate that the limits refuse; it is used by no price. */
export interface RefusedRate extends Sides {
  at: Date
  reason: RateRefusal
  /** When the first rate since the last accepted one was refused. */
  since: Date
}

/** What is known of a currency's rate. */
export interface StoredRate {
  currency: string
  /** The last accepted rate, and what its jumps are measured from; null before the first. */
  accepted: (Rate & { anchor: Anchor }) | null
  /** The last answer, where it was refused. */
  refused: RefusedRate | null
}

interface Row {
  currency: string
  buy: string | null
  sell: string
  at: Date
  anchorBuy: string
  anchorSell: string
  anchorAt: Date
  refusedBuy: string | null
  refusedSell: string
  refusedAt: Date
  refusedReason: RateRefusal
  refusedSince: Date
}

/** Decisions about a partner's rates come one after the other. Lock before `readStoredRates`. */
export const lockRates = (db: Queryable, { name, url }: RateSource) =>
  db.query("select pg_advisory_xact_lock(hashtext('cowry/rates'), hashtext($1 || ' ' || $2))", [name, url])

export async function readStoredRates(db: Queryable, { name, url }: RateSource): Promise<StoredRate[]> {
  const rows = await db.query<Row>(
    `select currency, buy::text, sell::text, at, anchor_buy::text as "anchorBuy", anchor_sell::text as "anchorSell", anchor_at as "anchorAt",
       refused_buy::text as "refusedBuy", refused_sell::text as "refusedSell", refused_at as "refusedAt",
       refused_reason as "refusedReason", refused_since as "refusedSince"
     from partner_rates where partner = $1 and url = $2 order by currency`,
    [name, url],
  )
  return rows.map(storedOf)
}

function storedOf(row: Row): StoredRate {
  const { currency, buy, sell, at } = row
  const anchor = { buy: row.anchorBuy, sell: row.anchorSell, at: row.anchorAt }
  const refused = {
    sell: row.refusedSell,
    at: row.refusedAt,
    reason: row.refusedReason,
    since: row.refusedSince,
  }
  return {
    currency,
    accepted: buy === null ? null : { currency, buy, sell, at, anchor },
    refused: row.refusedBuy === null ? null : { buy: row.refusedBuy, ...refused },
  }
}

/** Stores what was decided. Call it under `lockRates`. */
export async function storeRates(
  db: Queryable,
  { name, url }: RateSource,
  rates: readonly StoredRate[],
): Promise<void> {
  const rows = rates.map(({ currency, accepted, refused }) => ({
    currency,
    ...(accepted && { buy: accepted.buy, sell: accepted.sell, at: accepted.at }),
    ...(accepted && {
      anchor_buy: accepted.anchor.buy,
      anchor_sell: accepted.anchor.sell,
      anchor_at: accepted.anchor.at,
    }),
    ...(refused && { refused_buy: refused.buy, refused_sell: refused.sell, refused_at: refused.at }),
    ...(refused && { refused_reason: refused.reason, refused_since: refused.since }),
  }))
  await db.query(
    `insert into partner_rates (partner, url, currency, ${columns.join(', ')})
     select $1, $2, currency, ${columns.join(', ')} from jsonb_populate_recordset(null::partner_rates, $3::jsonb)
     on conflict (partner, url, currency) do update set ${columns.map((each) => `${each} = excluded.${each}`).join(', ')}`,
    [name, url, JSON.stringify(rows)],
  )
}

const columns = [
  'buy',
  'sell',
  'at',
  'anchor_buy',
  'anchor_sell',
  'anchor_at',
  'refused_buy',
  'refused_sell',
  'refused_at',
  'refused_reason',
  'refused_since',
]
