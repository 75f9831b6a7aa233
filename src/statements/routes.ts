import { readPricingBusiness } from '../businesses/business.ts'
import { readTimeZone } from '../businesses/timeZone.ts'
import type { QueryOf, Routes } from '../http/routes.ts'
import { csvType } from '../platform/csv.ts'
import type { Db } from '../platform/database/db.ts'
import { invalidParameters } from '../platform/errors.ts'
import { splitQuery, withTimes } from '../platform/pages.ts'
import type { AssetsContext } from './assets.ts'
import { balanceTotal, type TotalContext } from './balanceTotal.ts'
import { entriesCsv } from './entriesCsv.ts'
import { listBalances } from './listBalances.ts'
import { listEntries } from './listEntries.ts'
import { monthPeriod } from './monthPeriod.ts'
import { statement } from './statement.ts'
import { statementCsv } from './statementCsv.ts'

export type BookRoutesContext = AssetsContext & TotalContext & { db: Db }

/** The books of a business: by API and in the dashboard. */
export const bookRoutes = (ctx: BookRoutesContext): Routes => ({
  async listBalances({ caller: { businessId }, query: { at, ...filter } }) {
    const { balances, ...rest } = await listBalances(ctx, businessId, {
      ...filter,
      ...(at && { at: new Date(at) }),
    })
    const { localCurrency } = await readPricingBusiness(ctx.db, businessId)
    const total = await balanceTotal(ctx, localCurrency ?? 'USD', balances)
    return { status: 200, body: { ...rest, total, balances } }
  },
  async listLedgerEntries({ caller: { businessId }, query, form, waits, goesOn }) {
    if (form === 'csv') {
      const { page: _, limit: __, cursor: ___, sort = 'DESC', ...filter } = query
      const stream = entriesCsv(ctx, businessId, withTimes(filter), sort, { ...waits(), goesOn })
      return {
        status: 200,
        body: {},
        stream,
        file: { type: csvType, name: 'entries.csv' },
      }
    }
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listEntries(ctx, businessId, filter, request) }
  },
  async getLedgerStatement({ caller: { businessId, business }, query, form }) {
    const body = await statement(ctx, businessId, await periodOf(ctx, businessId, query))
    if (form === 'pdf') {
      const { statementPdf } = await import('./statementPdf.ts')
      const of = { id: businessId, name: business?.name ?? '' }
      return {
        status: 200,
        body,
        stream: statementPdf(of, body, query.timeZone ?? (await readTimeZone(ctx.db, businessId))),
        file: { type: 'application/pdf', name: 'statement.pdf' },
      }
    }
    return { status: 200, body, csv: () => statementCsv(body) }
  },
})

/** @throws ApiError 400 naming what is missing, or what a month rules out */
async function periodOf(
  { db }: { db: Db },
  businessId: string,
  { month, timeZone, from, to }: QueryOf<'getLedgerStatement'>,
): Promise<{ from: Date; to: Date }> {
  if (month !== undefined) {
    const given = Object.entries({ from, to }).find(([, time]) => time !== undefined)
    if (given)
      throw invalidParameters({
        field: given[0],
        message: 'is not possible with month',
        code: 'not_possible',
      })
    const own = await readTimeZone(db, businessId)
    return monthPeriod(db, businessId, { month, own, ...(timeZone !== undefined && { timeZone }) })
  }
  if (timeZone !== undefined)
    throw invalidParameters({
      field: 'timeZone',
      message: 'is possible only with month',
      code: 'not_possible',
    })
  if (from === undefined) throw invalidParameters({ field: 'from', message: 'is required', code: 'required' })
  if (to === undefined) throw invalidParameters({ field: 'to', message: 'is required', code: 'required' })
  return { from: new Date(from), to: new Date(to) }
}
