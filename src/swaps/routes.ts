import { createRemembered } from '../chains/remembered.ts'
import type { Routes } from '../http/routes.ts'
import { type QuoteContext, quoteSwap } from './quoteSwap.ts'

/** Tokens whose decimals are kept. */
const maxTokens = 10_000

export type SwapRoutesContext = Omit<QuoteContext, 'decimals'>

/** Prices of token pairs. */
export function swapRoutes(routes: SwapRoutesContext): Routes {
  const ctx = { ...routes, decimals: createRemembered<number>(maxTokens) }
  return {
    quoteSwap: async ({ body }) => ({ status: 200, body: await quoteSwap(ctx, body) }),
  }
}
