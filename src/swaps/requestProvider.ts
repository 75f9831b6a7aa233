import type { Turn } from '../partnerPayments/partnerTurns.ts'
import { takeSharedTurn } from '../partnerPayments/sharedTurns.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ApiError } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { pause } from '../platform/wait.ts'
import { failedAtProvider, unavailable } from './errors.ts'
import { type SwapOutcome, type SwapProvider, SwapProviderError, type SwapProviders } from './provider.ts'

/**
 * Limits the wait of a request for its turn. Quotes are refused while the next turn is far away, and
 * executions still wait for it: so executions go first, however many quotes there are.
 */
const maxWaitMs = { execution: 5000, quote: 1000 }

export type SwapPriority = keyof typeof maxWaitMs

export interface ProviderRequestContext {
  db: Queryable
  log: Log
  swaps: Pick<SwapProviders, 'observe'>
}

interface Asking<T> {
  provider: SwapProvider
  priority: SwapPriority
  /**
   * The request.
   * @param onAnswer to call when the provider has answered, if other work follows: its time is not counted
   * @throws SwapProviderError; another error means that the provider did answer
   */
  work(onAnswer: () => void): Promise<T>
}

/**
 * Runs one request to a provider, at a turn of its own.
 * @throws ApiError 422 with the provider's reason; 503 `partner_unavailable`
 */
export async function requestProvider<T>(
  ctx: ProviderRequestContext,
  { provider, priority, work }: Asking<T>,
): Promise<T> {
  const turn = await takeSharedTurn(ctx.db, provider.name, provider.perSecond, maxWaitMs[priority])
  if (turn.isTooLate) throw busy(ctx, provider, turn)
  await pause(turn.inMs)
  return requestInTurn(ctx, provider, work)
}

/** The error of a request that got no turn. */
export function busy(
  ctx: Pick<ProviderRequestContext, 'swaps'>,
  { name }: Pick<SwapProvider, 'name'>,
  { inMs }: Pick<Turn, 'inMs'>,
): ApiError {
  ctx.swaps.observe(name, 'busy', 0)
  return unavailable(name, Math.ceil(inMs / 1000))
}

/**
 * Runs one request to a provider, whose turn it is.
 * @throws ApiError 422 with the provider's reason; 503 `partner_unavailable`
 */
export async function requestInTurn<T>(
  ctx: Pick<ProviderRequestContext, 'log' | 'swaps'>,
  { name }: SwapProvider,
  work: Asking<T>['work'],
): Promise<T> {
  const begun = performance.now()
  let answered: number | null = null
  const observe = (outcome: SwapOutcome) =>
    ctx.swaps.observe(name, outcome, ((answered ?? performance.now()) - begun) / 1000)
  const onAnswer = () => {
    answered ??= performance.now()
  }
  try {
    const done = await work(onAnswer)
    observe('ok')
    return done
  } catch (error) {
    if (!(error instanceof SwapProviderError)) {
      observe('ok')
      throw error
    }
    const { problem, message: err } = error
    observe(problem)
    ctx.log.warn({ provider: name, problem, err }, 'a swap provider did not serve a request')
    throw failedAtProvider(name, error)
  }
}
