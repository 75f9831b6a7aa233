import { hasSecondOwner, standsFor } from '../approvals/secondOwner.ts'
import { readTimeZone } from '../businesses/timeZone.ts'
import type { Routes } from '../http/routes.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Db } from '../platform/database/db.ts'
import { splitQuery } from '../platform/pages.ts'
import { closeMonth } from './closeMonth.ts'
import { listCloses } from './listCloses.ts'
import { presentMonth, readMonths } from './months.ts'

const ports = { lockBusiness, hasSecondOwner, standsFor, readTimeZone }

/** Closed months of a business's books; closes of all books, for operators. */
export const closeRoutes = (ctx: { db: Db }): Routes => ({
  async listCloses({ query }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listCloses(ctx.db, filter, request) }
  },
  listLedgerMonths: async ({ caller: { businessId } }) => ({
    status: 200,
    body: { months: (await readMonths(ctx.db, businessId)).map(presentMonth) },
  }),
  async closeLedgerMonth({ caller: { actor, businessId, account }, body }) {
    if (!account) throw new Error('a month is closed by a member')
    const by = { businessId, accountId: account.id }
    return { status: 200, body: await closeMonth({ ...ctx, ...ports }, actor, by, body) }
  },
})
