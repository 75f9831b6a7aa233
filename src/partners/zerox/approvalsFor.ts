import type { Call } from '../../chains/action.ts'
import type { EvmSwapping } from '../../chains/swapping.ts'
import { coinPlaceholder } from '../../swaps/coins.ts'
import type { SwapQuestion } from '../../swaps/provider.ts'
import { allowanceHolder } from './contracts.ts'

/**
 * The calls that allow exactly what is sold; no calls where enough is allowed already, and not promised to
 * swaps that are still under way. Some tokens, as USDT of Ethereum, change an allowance only from zero.
 */
export async function approvalsFor(chain: EvmSwapping, question: SwapQuestion): Promise<Call[]> {
  const { from, sellToken, sellAmount, promised = 0n } = question
  if (sellToken === coinPlaceholder) return []
  const allowed = await chain.allowance(sellToken, from, allowanceHolder)
  if (allowed - promised >= sellAmount) return []
  const exact = chain.approval(sellToken, allowanceHolder, sellAmount)
  if (allowed === 0n || (await chain.failureOf(from, exact)) === null) return [exact]
  return [chain.approval(sellToken, allowanceHolder, 0n), exact]
}
