import type { Volume } from '../businesses/volume.ts'
import { assetsOf, chainNames, knownChain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'

interface Row {
  businessId: string
  today: number
  todayDollars: string
  days30: number
  days30Dollars: string
  lastPaymentAt: Date | null
}

const takenIn = (table: string): string => `
        select chain, token, payments, units, at >= date_trunc('day', now(), 'UTC') as is_today
        from ${table} where business_id = b.id and at >= date_trunc('day', now(), 'UTC') - interval '29 days'`

/**
 * What was taken comes from the sums by quarters of an hour and the changes that are not in them yet, as the
 * overview's does: days of UTC begin at a quarter. The last payment is read from the index
 * `pos_sessions_taken`.
 */
export const volumeSql = `
  select b.id as business_id, coalesce(v.today, 0) as today, coalesce(v.today_dollars, 0) as today_dollars,
    coalesce(v.days30, 0) as days30, coalesce(v.days30_dollars, 0) as days30_dollars,
    (select max(paid_at) from pos_sessions where business_id = b.id and paid_at is not null) as last_payment_at
  from businesses b left join lateral (
    select sum(payments) filter (where is_today)::int as today,
      sum(units / power(10::numeric, d.decimals)) filter (where is_today) as today_dollars,
      sum(payments)::int as days30, sum(units / power(10::numeric, d.decimals)) as days30_dollars
    from (
      select chain, token, is_today, sum(payments) as payments, sum(units) as units
      from (${['taken_sums', 'taken_changes'].map(takenIn).join(' union all ')}) parts group by chain, token, is_today
    ) s left join unnest($1::text[], $2::text[], $3::int[]) as d(chain, token, decimals) on d.chain = s.chain and d.token = s.token
  ) v on true`

/** The parameters of `volumeSql`: decimals of every stablecoin. */
export function volumeParameters(): [string[], string[], number[]] {
  const tokens = chainNames.flatMap((name) => {
    const chain = knownChain(name)
    return chain
      ? assetsOf(chain)
          .filter(({ contract }) => contract !== null)
          .map(({ symbol, decimals }) => ({ name, symbol, decimals }))
      : []
  })
  return [
    tokens.map(({ name }) => name),
    tokens.map(({ symbol }) => symbol),
    tokens.map(({ decimals }) => decimals),
  ]
}

/** What these businesses took. */
export async function readVolumes(db: Queryable, ids: readonly string[]): Promise<Map<string, Volume>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Row>(
    `select business_id as "businessId", today, trim_scale(trunc(today_dollars, 2))::text as "todayDollars", days30,
       trim_scale(trunc(days30_dollars, 2))::text as "days30Dollars", last_payment_at as "lastPaymentAt"
     from (${volumeSql} where b.id = any($4::uuid[])) v`,
    [...volumeParameters(), ids],
  )
  return new Map(
    rows.map((row) => [
      row.businessId,
      {
        today: { payments: row.today, dollars: row.todayDollars },
        days30: { payments: row.days30, dollars: row.days30Dollars },
        lastPaymentAt: row.lastPaymentAt?.toISOString() ?? null,
      },
    ]),
  )
}
