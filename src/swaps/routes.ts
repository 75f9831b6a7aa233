import type { Caller } from '../accounts/caller.ts'
import { createRemembered } from '../chains/providers/remembered.ts'
import { refuseUnopened } from '../chains/refuseUnopened.ts'
import type { Routes } from '../http/routes.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import type { DailyCapContext } from '../rateLimits/dailyCaps.ts'
import { countQuestionOf } from './countQuestion.ts'
import { type ExecutionContext, executeSwap } from './executeSwap.ts'
import type { SwapView } from './presentSwap.ts'
import { type QuoteContext, quoteSwap } from './quoteSwap.ts'
import { readExecution } from './readExecution.ts'
import { streamedSwapQuotes } from './streamedSwapQuotes.ts'
import { createStreamTurns } from './streamTurns.ts'

/** Tokens whose decimals are kept. */
const maxTokens = 10_000

export type SwapRoutesContext = Omit<QuoteContext & ExecutionContext & DailyCapContext, 'decimals' | 'db'> & {
  db: ModelDb
}

/** Prices of token pairs, and swaps with keys of requests. */
export function swapRoutes(routes: SwapRoutesContext): Routes {
  const decimals = createRemembered<number>(maxTokens)
  const ctx = { ...routes, decimals, streamTurn: createStreamTurns(routes.db) }
  const counted = ({ businessId }: Caller) => countQuestionOf(ctx, businessId)
  return {
    quoteSwap: async ({ body, caller }) => ({
      status: 200,
      body: await quoteSwap(ctx, body, counted(caller)),
    }),
    streamSwapQuote: async ({ query, caller }) => ({
      status: 101,
      body: {},
      quotes: await streamedSwapQuotes(ctx, query, counted(caller)),
    }),
    executeSwap: async ({ body, caller, remember }) => {
      const wanted = readExecution(ctx, body)
      await refuseUnopened(ctx, body.toAddress, 'toAddress')
      const keep = (db: Queryable, view: SwapView) => remember(db, { status: 201, body: view })
      const { amount, minBuyAmount } = body
      const amounts = { amount, ...(minBuyAmount !== undefined && { minBuyAmount }) }
      const view = await executeSwap(ctx, { ...wanted, ...amounts, businessId: caller.businessId }, keep)
      return { status: 201, body: view }
    },
  }
}
