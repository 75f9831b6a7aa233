import type { Routes } from '../http/routes.ts'
import { csvType } from '../platform/csv.ts'
import type { Db } from '../platform/database/db.ts'
import { splitQuery } from '../platform/pages.ts'
import type { AssetsContext } from './assets.ts'
import { entriesCsv } from './entriesCsv.ts'
import { listBalances } from './listBalances.ts'
import { listEntries } from './listEntries.ts'
import { statement } from './statement.ts'
import { statementCsv } from './statementCsv.ts'

export type BookRoutesContext = AssetsContext & { db: Db }

/** The books of a business: by API and in the dashboard. */
export const bookRoutes = (ctx: BookRoutesContext): Routes => ({
  async listBalances({ caller, query: { at, ...filter } }) {
    return {
      status: 200,
      body: await listBalances(ctx, caller.businessId, { ...filter, ...(at && { at: new Date(at) }) }),
    }
  },
  async listLedgerEntries({ caller: { businessId }, query, wantsCsv, waits, goesOn }) {
    if (wantsCsv) {
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
    return { status: 200, body: await listEntries(ctx, businessId, withTimes(filter), request) }
  },
  async getLedgerStatement({ caller, query: { from, to } }) {
    const body = await statement(ctx, caller.businessId, { from: new Date(from), to: new Date(to) })
    return { status: 200, body, csv: () => statementCsv(body) }
  },
})

const withTimes = <F extends { since?: string; until?: string }>({ since, until, ...filter }: F) => ({
  ...filter,
  ...(since && { since: new Date(since) }),
  ...(until && { until: new Date(until) }),
})
