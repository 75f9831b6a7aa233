import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { monthRange } from './monthRange.ts'
import { type LedgerMonth, type MonthView, presentMonth, readMonths } from './months.ts'

export interface CloseMonthContext {
  db: Db
  /** Changes of the business and its members wait. */
  lockBusiness(tx: Tx, businessId: string): Promise<void>
  /** Closing needs two owners. */
  hasSecondOwner(tx: Tx, businessId: string): Promise<boolean>
}

export interface WantedMonth {
  month: string
  /** IANA name. */
  timeZone: string
}

/**
 * Closes a month of a business's books, or asks a second owner to, where there is one: the second one closes
 * it by the same request. A month closes an hour after its end, when no entry can get a time in it any more,
 * also by a clock of the database that is set back a little: what is posted later, corrections too, is in a
 * later month. It is never opened again.
 * @throws ApiError 400 naming `month` or `timeZone`; 409 `month_not_final`, `month_out_of_order`
 */
export async function closeMonth(
  ctx: CloseMonthContext,
  actor: Actor,
  { businessId, accountId }: { businessId: string; accountId: string },
  wanted: WantedMonth,
): Promise<MonthView> {
  const { from, to } = rangeOf(wanted)
  const finalAt = new Date(to.getTime() + marginMs)
  return closePeriod(ctx, actor, { businessId, accountId }, { ...wanted, from, to, finalAt })
}

/** How far the database's clock may be set back without a posting in a month that is closed. */
const marginMs = 3_600_000

/** The same for any period, of that name. @param finalAt no earlier posting may be possible any more */
export async function closePeriod(
  ctx: CloseMonthContext,
  actor: Actor,
  { businessId, accountId }: { businessId: string; accountId: string },
  { month, timeZone, from, to, finalAt = to }: WantedMonth & { from: Date; to: Date; finalAt?: Date },
): Promise<MonthView> {
  return ctx.db.tx(async (tx) => {
    await ctx.lockBusiness(tx, businessId)
    const months = await readMonths(tx, businessId)
    const known = months.find((each) => each.month === month)
    if (known && known.closedAt !== null) return presentMonth(known)
    const [last] = months.filter(({ closedAt }) => closedAt !== null)
    if (last) requireNext(last, { timeZone, from })
    else await requireFirst(tx, businessId, from)
    await requireFinal(tx, finalAt)
    const isSame = known !== undefined && isSamePeriod(known, { timeZone, from, to })
    const needsSecond = await ctx.hasSecondOwner(tx, businessId)
    const closes = !needsSecond || (isSame && known.askedBy.id !== accountId)
    if (isSame && !closes) return presentMonth(known)
    await tx.query(
      `insert into ledger_months (business_id, month, time_zone, starts_at, ends_at, asked_by, closed_by, closed_at)
       values ($1, $2, $3, $4, $5, $6, case when $7 then $6::uuid end, case when $7 then now() end)
       on conflict (business_id, month) do update set time_zone = excluded.time_zone, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
         asked_by = case when $8 then ledger_months.asked_by else excluded.asked_by end,
         asked_at = case when $8 then ledger_months.asked_at else excluded.asked_at end,
         closed_by = excluded.closed_by, closed_at = excluded.closed_at`,
      [businessId, month, timeZone, from, to, accountId, closes, isSame],
    )
    await recordAudit(tx, actor, {
      businessId,
      action: closes ? 'ledger.month_closed' : 'ledger.month_close_requested',
      target: businessId,
      after: { month, timeZone },
    })
    const stored = (await readMonths(tx, businessId)).find((each) => each.month === month)
    if (!stored) throw new Error(`the month ${month} was not stored`)
    return presentMonth(stored)
  })
}

function rangeOf({ month, timeZone }: WantedMonth): { from: Date; to: Date } {
  try {
    return monthRange(month, timeZone)
  } catch (error) {
    throw error instanceof ApiError && error.fields ? invalidBody(...error.fields) : error
  }
}

type Period = Pick<LedgerMonth, 'timeZone' | 'from' | 'to'>

/** A second owner confirms what the first one asked for, and nothing else. */
const isSamePeriod = (known: Period, wanted: Period): boolean =>
  known.timeZone === wanted.timeZone &&
  known.from.getTime() === wanted.from.getTime() &&
  known.to.getTime() === wanted.to.getTime()

/** Months close in their order, and all of them in one time zone, so that they join without a gap. */
function requireNext(last: LedgerMonth, { timeZone, from }: Pick<Period, 'timeZone' | 'from'>): void {
  if (last.timeZone !== timeZone)
    throw invalidBody({ field: 'timeZone', message: `is not that of the months before: ${last.timeZone}` })
  if (last.to.getTime() !== from.getTime())
    throw outOfOrder(`The last closed month is ${last.month}: close the one after it`)
}

/** What is before the first closed month stays open for good, so nothing may be there. */
async function requireFirst(tx: Tx, businessId: string, from: Date): Promise<void> {
  const [first] = await tx.query<{ at: Date }>(
    'select created_at as at from ledger_entries where business_id = $1 order by id limit 1',
    [businessId],
  )
  if (first && first.at < from)
    throw outOfOrder(`The first entry is of ${first.at.toISOString()}: close its month first`)
}

const outOfOrder = (message: string) => new ApiError(409, 'month_out_of_order', message)

/** Transactions that can still post with a time before this one are over. */
async function requireFinal(tx: Tx, to: Date): Promise<void> {
  const [row] = await tx.query<{ isFinal: boolean }>('select ledger_final_until() >= $1 as "isFinal"', [to])
  if (!row?.isFinal)
    throw new ApiError(
      409,
      'month_not_final',
      'The month is not over for an hour, or entries of it are still being posted',
      {
        retryAfterSeconds: 60,
      },
    )
}
