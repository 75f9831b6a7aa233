import { refuseUnopened } from '../chains/refuseUnopened.ts'
import { createRemembered } from '../chains/remembered.ts'
import type { Routes } from '../http/routes.ts'
import type { Queryable } from '../platform/db.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { type ExecutionContext, executeSwap } from './executeSwap.ts'
import { getSwap } from './getSwap.ts'
import { listSwaps } from './listSwaps.ts'
import type { SwapView } from './presentSwap.ts'
import { type QuoteContext, quoteSwap } from './quoteSwap.ts'
import { readExecution } from './readExecution.ts'

/** Tokens whose decimals are kept. */
const maxTokens = 10_000

export type SwapRoutesContext = Omit<QuoteContext & ExecutionContext, 'decimals' | 'db'> & { db: ModelDb }

/** Prices of token pairs, and swaps with keys of requests. */
export function swapRoutes(routes: SwapRoutesContext): Routes {
  const ctx = { ...routes, decimals: createRemembered<number>(maxTokens) }
  return {
    quoteSwap: async ({ body }) => ({ status: 200, body: await quoteSwap(ctx, body) }),
    executeSwap: async ({ body, caller, remember }) => {
      const wanted = readExecution(ctx, body)
      await refuseUnopened(ctx, body.toAddress, 'toAddress')
      const keep = (db: Queryable, view: SwapView) => remember(db, { status: 201, body: view })
      const { amount, minBuyAmount } = body
      const amounts = { amount, ...(minBuyAmount !== undefined && { minBuyAmount }) }
      const view = await executeSwap(ctx, { ...wanted, ...amounts, businessId: caller.businessId }, keep)
      return { status: 201, body: view }
    },
    listSwaps: async ({ query, caller }) => {
      const { filter, request } = splitQuery(query)
      return { status: 200, body: await listSwaps(ctx, caller.businessId, filter, request) }
    },
    getSwap: async ({ params, caller }) => ({ status: 200, body: await getSwap(ctx, caller.businessId, params.id) }),
  }
}
