import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, fieldMistakes, invalidBody } from '../platform/errors.ts'
import { isSameZone, requireTimeZone } from '../platform/localDates.ts'
import { openMonth } from './monthPeriod.ts'
import { type LedgerMonth, type MonthView, presentMonth, readMonths } from './months.ts'

export interface CloseMonthContext {
  db: Db
  /** Changes of the business and its members wait. */
  lockBusiness(tx: Tx, businessId: string): Promise<void>
  /** The zone of the business's months. */
  readTimeZone(tx: Tx, businessId: string): Promise<string>
  /** Closing needs two owners. */
  hasSecondOwner(tx: Tx, businessId: string): Promise<boolean>
  /** What an owner asked for stands, for this one to repeat or to confirm. */
  standsFor(tx: Tx, businessId: string, asked: { by: string; at: Date }, accountId: string): Promise<boolean>
}

export interface WantedMonth {
  month: string
  /** IANA name of the business's zone, where the caller wants to be sure of it. */
  timeZone?: string
}

interface Period {
  timeZone: string
  from: Date
  to: Date
  /** No earlier posting may be possible any more; left out: `to`. */
  finalAt?: Date
}

interface Closer {
  businessId: string
  accountId: string
}

/**
 * Closes a month of a business's books by its time zone, or asks a second owner to, where there is one: the
 * second one closes it by the same request, if that is independent of the first (`standsFor`); one that is
 * not, or comes too late, asks in its place. A month closes an hour after its end, when no entry can get a
 * time in it any more, also by a clock of the database that is set back a little: what is posted later,
 * corrections too, is in a later month. It is never opened again. A month begins where the closed one before
 * it ended, so that they join also where the business has got another time zone between them.
 * @throws ApiError 400 naming `month` or `timeZone`; 409 `month_not_final`, `month_out_of_order`
 */
export async function closeMonth(
  ctx: CloseMonthContext,
  actor: Actor,
  closer: Closer,
  { month, timeZone }: WantedMonth,
): Promise<MonthView> {
  if (timeZone !== undefined) requireTimeZone(timeZone, invalidBody)
  return close(ctx, actor, closer, month, async (tx, closed) => {
    const own = await ctx.readTimeZone(tx, closer.businessId)
    if (timeZone !== undefined && !isSameZone(timeZone, own))
      throw invalidBody({
        field: 'timeZone',
        message: `is not that of the business: ${own}`,
        code: 'not_possible',
      })
    const { from, to } = inBody(() => openMonth(closed, month, own))
    return { timeZone: own, from, to, finalAt: new Date(to.getTime() + marginMs) }
  })
}

function inBody<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof ApiError && error.fields ? invalidBody(...fieldMistakes(error)) : error
  }
}

/** How far the database's clock may be set back without a posting in a month that is closed. */
const marginMs = 3_600_000

/** The same for any period, of that name. */
export const closePeriod = (
  ctx: CloseMonthContext,
  actor: Actor,
  closer: Closer,
  { month, ...period }: Period & { month: string },
): Promise<MonthView> => close(ctx, actor, closer, month, async () => period)

function close(
  ctx: CloseMonthContext,
  actor: Actor,
  { businessId, accountId }: Closer,
  month: string,
  periodOf: (tx: Tx, closed: readonly LedgerMonth[]) => Promise<Period>,
): Promise<MonthView> {
  return ctx.db.tx(async (tx) => {
    await ctx.lockBusiness(tx, businessId)
    const months = await readMonths(tx, businessId)
    const known = months.find((each) => each.month === month)
    if (known && known.closedAt !== null) return presentMonth(known)
    const closed = months.filter(({ closedAt }) => closedAt !== null)
    const { timeZone, from, to, finalAt = to } = await periodOf(tx, closed)
    const [last] = closed
    if (last) requireNext(last, from)
    else await requireFirst(tx, businessId, from)
    await requireFinal(tx, finalAt)
    const isSame = known !== undefined && isSamePeriod(known, { timeZone, from, to })
    const needsSecond = await ctx.hasSecondOwner(tx, businessId)
    const isOpen = isSame && (await ctx.standsFor(tx, businessId, askedOf(known), accountId))
    const isOwn = isOpen && known.askedBy.id === accountId
    const closes = !needsSecond || (isOpen && !isOwn)
    if (isOwn && !closes) return presentMonth(known)
    await tx.query(
      `insert into ledger_months (business_id, month, time_zone, starts_at, ends_at, asked_by, closed_by, closed_at)
       values ($1, $2, $3, $4, $5, $6, case when $7 then $6::uuid end, case when $7 then now() end)
       on conflict (business_id, month) do update set time_zone = excluded.time_zone, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
         asked_by = case when $8 then ledger_months.asked_by else excluded.asked_by end,
         asked_at = case when $8 then ledger_months.asked_at else excluded.asked_at end,
         closed_by = excluded.closed_by, closed_at = excluded.closed_at`,
      [businessId, month, timeZone, from, to, accountId, closes, isOpen],
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

const askedOf = ({ askedBy, askedAt }: LedgerMonth) => ({ by: askedBy.id, at: askedAt })

/** A second owner confirms what the first one asked for, and nothing else. */
const isSamePeriod = (known: LedgerMonth, wanted: Period): boolean =>
  isSameZone(known.timeZone, wanted.timeZone) &&
  known.from.getTime() === wanted.from.getTime() &&
  known.to.getTime() === wanted.to.getTime()

/** Months close in their order, so that they join without a gap. */
function requireNext(last: LedgerMonth, from: Date): void {
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
