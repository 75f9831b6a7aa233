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
 * it by the same request. A month closes when it is over, and no entry can get a time in it any more: what is
 * posted later, corrections too, is in a later month. It is never opened again.
 * @throws ApiError 400 naming `month` or `timeZone`; 409 `month_not_final`, `month_out_of_order`
 */
export async function closeMonth(
  ctx: CloseMonthContext,
  actor: Actor,
  { businessId, accountId }: { businessId: string; accountId: string },
  wanted: WantedMonth,
): Promise<MonthView> {
  return closePeriod(ctx, actor, { businessId, accountId }, { ...wanted, ...rangeOf(wanted) })
}

/** The same for any period, of that name. */
export async function closePeriod(
  ctx: CloseMonthContext,
  actor: Actor,
  { businessId, accountId }: { businessId: string; accountId: string },
  period: WantedMonth & { from: Date; to: Date },
): Promise<MonthView> {
  const { month, timeZone, from, to } = period
  return ctx.db.tx(async (tx) => {
    await ctx.lockBusiness(tx, businessId)
    const months = await readMonths(tx, businessId)
    const known = months.find((each) => each.month === month)
    if (known && known.closedAt !== null) return presentMonth(known)
    requireNext(months, period)
    await requireFinal(tx, to)
    const needsSecond = await ctx.hasSecondOwner(tx, businessId)
    const closes = !needsSecond || (known !== undefined && known.askedBy.id !== accountId)
    if (known && !closes) return presentMonth(known)
    await tx.query(
      `insert into ledger_months (business_id, month, time_zone, starts_at, ends_at, asked_by, closed_by, closed_at)
       values ($1, $2, $3, $4, $5, $6, case when $7 then $6::uuid end, case when $7 then now() end)
       on conflict (business_id, month) do update set closed_by = excluded.closed_by, closed_at = excluded.closed_at`,
      [businessId, month, timeZone, from, to, accountId, closes],
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

/** Months close in their order, and all of them in one time zone, so that they join without a gap. */
function requireNext(months: readonly LedgerMonth[], { month, timeZone, from }: LedgerMonthOf): void {
  const [last] = months.filter(({ closedAt }) => closedAt !== null)
  const waiting = months.find((each) => each.closedAt === null && each.month === month)
  const zone = last?.timeZone ?? waiting?.timeZone
  if (zone !== undefined && zone !== timeZone)
    throw invalidBody({ field: 'timeZone', message: `is not that of the months before: ${zone}` })
  if (last && last.to.getTime() !== from.getTime())
    throw new ApiError(
      409,
      'month_out_of_order',
      `The last closed month is ${last.month}: close the one after it`,
    )
}

type LedgerMonthOf = Pick<LedgerMonth, 'month' | 'timeZone' | 'from'>

/** Transactions that can still post with a time before this one are over. */
async function requireFinal(tx: Tx, to: Date): Promise<void> {
  const [row] = await tx.query<{ isFinal: boolean }>('select ledger_final_until() >= $1 as "isFinal"', [to])
  if (!row?.isFinal)
    throw new ApiError(
      409,
      'month_not_final',
      'The month is not over, or entries of it are still being posted',
      {
        retryAfterSeconds: 60,
      },
    )
}
