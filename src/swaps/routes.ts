import { createRemembered } from '../chains/remembered.ts'
import type { Routes } from '../http/routes.ts'
import { type QuoteContext, quoteSwap } from './quoteSwap.ts'
import { streamedSwapQuotes } from './streamedSwapQuotes.ts'
import { createStreamTurns } from './streamTurns.ts'

/** Tokens whose decimals are kept. */
const maxTokens = 10_000

export type SwapRoutesContext = Omit<QuoteContext, 'decimals'>

/** Prices of token pairs. */
export function swapRoutes(routes: SwapRoutesContext): Routes {
  const decimals = createRemembered<number>(maxTokens)
  const ctx = { ...routes, decimals, streamTurn: createStreamTurns(routes.db) }
  return {
    quoteSwap: async ({ body }) => ({ status: 200, body: await quoteSwap(ctx, body) }),
    streamSwapQuote: async ({ query }) => ({ status: 101, body: {}, quotes: await streamedSwapQuotes(ctx, query) }),
  }
}
