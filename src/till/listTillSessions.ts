import { type Chain, tokenOf } from '../chains/registry.ts'
import { formatUnits, parseDecimal, rescale } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { dayRanges } from '../platform/dayRanges.ts'
import type { CheckoutUrl } from '../sessions/checkout/checkoutToken.ts'
import { keptUnits } from '../sessions/keptUnits.ts'
import type { PosSession } from '../sessions/model.ts'
import { chainOf, plain } from '../sessions/present.ts'
import type { TillSessionView } from './tillSession.ts'

interface Context {
  db: Queryable
  chains: readonly Chain[]
  checkoutUrl: CheckoutUrl
}

export interface TillDay {
  /** The date in the time zone. */
  day: string
  timeZone: string
  count: number
  paid: number
  totals: { currency: string; amount: string }[]
  sessions: TillSessionView[]
}

/** The list shows so many; the totals are of all. */
const maxShown = 200

/**
 * The sessions that were made at the till since midnight.
 * @param timeZone of the midnight, as in the IANA database
 * @throws ApiError 400 naming `timeZone`
 */
export async function listTillSessions(ctx: Context, businessId: string, timeZone: string): Promise<TillDay> {
  const [today] = dayRanges(timeZone, 1, new Date())
  if (!today) throw new Error('no day')
  const { date: day, from: since } = today
  const [sessions, sums] = await Promise.all([
    readSessions(ctx, businessId, since),
    readSums(ctx.db, businessId, since),
  ])
  return {
    day,
    timeZone,
    count: sums.reduce((sum, { count }) => sum + count, 0),
    paid: sums.reduce((sum, { paid }) => sum + paid, 0),
    totals: totalsOf(ctx, sums),
    sessions,
  }
}

type Row = Pick<
  PosSession,
  | 'id'
  | 'chain'
  | 'token'
  | 'amountExpected'
  | 'amountReceived'
  | 'localAmount'
  | 'localCurrency'
  | 'status'
  | 'exception'
> & { createdAt: Date; expiresAt: Date }

async function readSessions(ctx: Context, businessId: string, since: Date): Promise<TillSessionView[]> {
  const rows = await ctx.db.query<Row>(
    `select s.id, s.chain, s.token, s.amount_expected as "amountExpected", s.amount_received as "amountReceived",
       s.local_amount as "localAmount", s.local_currency as "localCurrency", s.status, s.exception,
       s.created_at as "createdAt", s.expires_at as "expiresAt"
     from till_sessions t join pos_sessions s on s.id = t.session_id
     where t.business_id = $1 and t.created_at >= $2 order by t.created_at desc, t.session_id desc limit ${maxShown}`,
    [businessId, since],
  )
  return rows.map((row) => {
    const decimals = decimalsOf(ctx, row)
    return {
      ...row,
      amountExpected: formatUnits(BigInt(row.amountExpected), decimals),
      amountReceived: formatUnits(BigInt(row.amountReceived), decimals),
      localAmount: row.localAmount && plain(row.localAmount),
      checkoutUrl: ctx.checkoutUrl(row.id),
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    }
  })
}

interface Sum {
  chain: string
  token: string
  currency: string | null
  count: number
  paid: number
  /** What those that are paid keep, in the currency and in base units of the token; null: none is. */
  local: string | null
  kept: string | null
}

const readSums = (db: Queryable, businessId: string, since: Date): Promise<Sum[]> =>
  db.query<Sum>(
    `select chain, token, currency, count(*)::int as count, count(kept)::int as paid,
       sum(kept)::text as kept, sum(local_amount * kept / amount_expected)::text as local
     from (
       select s.chain, s.token, s.local_currency as currency, s.local_amount, s.amount_expected,
         case when s.status in ('paid', 'paid_out') then ${keptUnits} end as kept
       from till_sessions t join pos_sessions s on s.id = t.session_id
       where t.business_id = $1 and t.created_at >= $2
     ) each group by chain, token, currency`,
    [businessId, since],
  )

/** Finer than every token and currency. */
const scale = 18

function totalsOf(ctx: Context, sums: readonly Sum[]): TillDay['totals'] {
  const totals = new Map<string, bigint>()
  for (const sum of sums) {
    if (sum.paid === 0) continue
    const taken = sum.currency === null ? keptOf(ctx, sum) : sum.local
    const decimal = parseDecimal(taken ?? '0')
    if (decimal === null) throw new Error(`not a sum: ${taken}`)
    const units = rescale(decimal, scale, 'down')
    const name = sum.currency ?? sum.token
    totals.set(name, (totals.get(name) ?? 0n) + units)
  }
  return [...totals]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, units]) => ({ currency, amount: formatUnits(units, scale) }))
}

const keptOf = (ctx: Context, sum: Sum): string => formatUnits(BigInt(sum.kept ?? '0'), decimalsOf(ctx, sum))

function decimalsOf(ctx: Context, { chain, token }: { chain: string; token: string }): number {
  const found = tokenOf(chainOf(ctx, chain), token)
  if (!found) throw new Error(`${token} on ${chain} is not configured`)
  return found.decimals
}
