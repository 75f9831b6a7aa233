import type { Call } from '../../chains/action.ts'
import { ActionRefusedError } from '../../chains/sending.ts'
import { type EvmSwapping, NoTrialRunError, type TrialResult } from '../../chains/swapping.ts'
import { SwapProviderError, type SwapQuestion } from '../../swaps/provider.ts'
import { watchedOf } from './checkTrial.ts'

/**
 * Runs all calls of a swap without sending them.
 * @returns null where no node can try several calls, and the only call would succeed
 * @throws SwapProviderError `price_moved`; ActionRefusedError `simulation_failed`; NoTrialRunError, ProviderError
 */
export async function tryCalls(
  chain: EvmSwapping,
  question: SwapQuestion,
  calls: readonly Call[],
): Promise<TrialResult | null> {
  const { from } = question
  const tried = await chain.simulate({ from, calls, watched: watchedOf(question) })
  if (tried === null) {
    const [only, ...more] = calls
    if (only === undefined || more.length > 0)
      throw new NoTrialRunError('no node can try several calls at once')
    const reason = await chain.failureOf(from, only)
    if (reason !== null) throw failed(reason)
    return null
  }
  const failure = tried.calls.find((call) => call.failure !== null)?.failure
  if (failure?.data.startsWith(tooMuchSlippage)) throw priceMoved()
  if (failure) throw failed(failure.reason)
  return tried
}

/** `TooMuchSlippage(address token, uint256 expected, uint256 actual)` of a Settler. */
const tooMuchSlippage = '0x97a6f3b9'

const priceMoved = () => new SwapProviderError('price_moved', 'The trial run brings less than the minimum')

/** The reason names the selector of a contract's own error. */
const failed = (reason: string): Error =>
  reason.toLowerCase().includes(tooMuchSlippage)
    ? priceMoved()
    : new ActionRefusedError('simulation_failed', `The swap would fail: ${reason}`)

/** An estimate of the gas fails as a trial run does. */
export const asTrialFailure = (error: unknown): unknown =>
  error instanceof ActionRefusedError &&
  error.reason === 'simulation_failed' &&
  error.message.toLowerCase().includes(tooMuchSlippage)
    ? priceMoved()
    : error
