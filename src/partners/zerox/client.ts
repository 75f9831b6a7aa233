import { type SwapProvider, SwapProviderError } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { readPrice } from './readPrice.ts'

/** 0x's Swap API v2, by its AllowanceHolder contract: prices on EVM chains. */
export const createZeroX = (account: SwapAccount): SwapProvider => ({
  name: '0x',
  perSecond: account.perSecond,
  price: (question) => readPrice(account, question),
  prepare: async () => {
    throw new SwapProviderError('unavailable', 'Swaps are not executed yet')
  },
})
