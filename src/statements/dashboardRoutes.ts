import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { splitQuery } from '../platform/pages.ts'
import { listCloses } from './listCloses.ts'

/** Closes of the books, for operators. */
export const closeRoutes = (ctx: { db: Db }): Routes => ({
  listCloses: async ({ query }) => ({
    status: 200,
    body: await listCloses(ctx.db, splitQuery(query).request),
  }),
})
