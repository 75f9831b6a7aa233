import type { PriceAnswer, PriceQuestion } from '../../swaps/provider.ts'
import type { SwapAccount } from '../getExact.ts'
import { readAnswer } from './readAnswer.ts'

/**
 * An indicative price, by https://docs.0x.org/api-reference/0-x-api/swap/allowanceholder-getprice. Without a taker,
 * no balance is checked.
 * @throws SwapProviderError
 */
export const readPrice = async (account: SwapAccount, question: PriceQuestion): Promise<PriceAnswer> =>
  (await readAnswer(account, '/swap/allowance-holder/price', question)).price
