import type { PriceAnswer, PriceQuestion } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { priceOf, requestBuild } from './build.ts'

/**
 * `/build` needs an account that swaps. This one is the ed25519 key of the seed
 * SHA-256("cowry: taker of quotes"): it is on the curve, and is not used for anything.
 */
export const quoteTaker = '5bKZDKpocZDvvWMepQRqrQxKL3UJGneCPjGdndVEiy5K'

/** A price. @throws SwapProviderError */
export const readPrice = async (account: SwapAccount, question: PriceQuestion): Promise<PriceAnswer> =>
  priceOf(await requestBuild(account, question, quoteTaker), question)
