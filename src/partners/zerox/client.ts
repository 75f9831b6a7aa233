import type { SwapProvider } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { prepareSwap } from './prepareSwap.ts'
import { readPrice } from './readPrice.ts'

/** 0x's Swap API v2, by its AllowanceHolder contract: prices and swaps on EVM chains. */
export const createZeroX = (account: SwapAccount): SwapProvider => ({
  name: '0x',
  perSecond: account.perSecond,
  price: (question) => readPrice(account, question),
  prepare: async (question, chain, onAnswer) => {
    if (chain.family !== 'evm') throw new Error('0x swaps on EVM chains only')
    return prepareSwap(account, question, chain, onAnswer)
  },
})
