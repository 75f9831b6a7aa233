import type { Queryable } from '../platform/database/db.ts'

/** A month that a business has closed, or asked to close. */
export interface LedgerMonth {
  /** `2026-11` */
  month: string
  timeZone: string
  /** Included. */
  from: Date
  /** Excluded. */
  to: Date
  askedBy: { id: string; name: string }
  askedAt: Date
  /** Null while a second owner has to close it. */
  closedBy: { id: string; name: string } | null
  closedAt: Date | null
}

export interface MonthView extends Omit<LedgerMonth, 'from' | 'to' | 'askedAt' | 'closedAt'> {
  state: 'waiting' | 'closed'
  from: string
  to: string
  askedAt: string
  closedAt: string | null
}

/** The newest first. */
export async function readMonths(db: Queryable, businessId: string): Promise<LedgerMonth[]> {
  const rows = await db.query<
    Omit<LedgerMonth, 'askedBy' | 'closedBy'> & {
      askedBy: string
      askedName: string
      closedBy: string | null
      closedName: string | null
    }
  >(
    `select m.month, m.time_zone as "timeZone", m.starts_at as "from", m.ends_at as "to", m.asked_by as "askedBy", a.name as "askedName",
       m.asked_at as "askedAt", m.closed_by as "closedBy", c.name as "closedName", m.closed_at as "closedAt"
     from ledger_months m join accounts a on a.id = m.asked_by left join accounts c on c.id = m.closed_by
     where m.business_id = $1 order by m.month desc`,
    [businessId],
  )
  return rows.map(({ askedBy, askedName, closedBy, closedName, ...row }) => ({
    ...row,
    askedBy: { id: askedBy, name: askedName },
    closedBy: closedBy === null ? null : { id: closedBy, name: closedName ?? '' },
  }))
}

export const presentMonth = ({ from, to, askedAt, closedAt, ...month }: LedgerMonth): MonthView => ({
  ...month,
  state: closedAt === null ? 'waiting' : 'closed',
  from: from.toISOString(),
  to: to.toISOString(),
  askedAt: askedAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
})

export interface ClosedMonth {
  month: string
  timeZone: string
  from: Date
  to: Date
}

export const readClosedMonths = (db: Queryable, businessId: string): Promise<ClosedMonth[]> =>
  db.query<ClosedMonth>(
    'select month, time_zone as "timeZone", starts_at as "from", ends_at as "to" from ledger_months where business_id = $1 and closed_at is not null',
    [businessId],
  )

/** The closed month that an entry corrects: what it takes back is in that month, and the entry is after it. */
export const correctedMonth = (
  months: readonly ClosedMonth[],
  { origin, createdAt }: { origin: Date | null; createdAt: Date },
): string | null =>
  origin === null
    ? null
    : (months.find(({ from, to }) => origin >= from && origin < to && createdAt >= to)?.month ?? null)
