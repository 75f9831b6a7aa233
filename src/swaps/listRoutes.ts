import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { getSwap } from './getSwap.ts'
import { listSwaps } from './listSwaps.ts'

/** Swaps as they were executed, for programs and for the dashboard. */
export function swapListRoutes(ctx: { db: ModelDb }): Routes {
  return {
    listSwaps: async ({ query, caller }) => {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listSwaps(ctx, caller.businessId, filter, request) }
    },
    getSwap: async ({ params, caller }) => ({
      status: 200,
      body: await getSwap(ctx, caller.businessId, params.id),
    }),
  }
}
