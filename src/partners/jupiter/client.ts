import { type SwapProvider, SwapProviderError } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { readPrice } from './readPrice.ts'

/** Jupiter's Swap API v2, by `/build`: prices on Solana by the route that an execution takes. */
export const createJupiter = (account: SwapAccount): SwapProvider => ({
  name: 'jupiter',
  perSecond: account.perSecond,
  price: (question) => readPrice(account, question),
  prepare: async (question, chain) => {
    if (chain.family !== 'solana')
      throw new SwapProviderError('provider_refused', `It does not trade on ${chain.family}`)
    // Loaded on demand: quotes need no library of Solana.
    const { prepareSwap } = await import('./prepareSwap.ts')
    return prepareSwap(account, question, chain)
  },
})
