import { type SwapProvider, SwapProviderError } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { readPrice } from './readPrice.ts'

/** Jupiter's Swap API v2, by `/build`: prices on Solana by the route that an execution would take. */
export const createJupiter = (account: SwapAccount): SwapProvider => ({
  name: 'jupiter',
  perSecond: account.perSecond,
  price: (question) => readPrice(account, question),
  prepare: async () => {
    throw new SwapProviderError('unavailable', 'Swaps are not executed yet')
  },
})
