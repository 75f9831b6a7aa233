import type { Caller } from '../../src/accounts/caller.ts'
import { countDaily, type DailyCapContext } from '../../src/rateLimits/dailyCaps.ts'
import type { Operation } from '../contract.ts'

/**
 * Runs an operation that reads a chain's nodes, after counting it against the business's daily limit. Each
 * permission has its own count, so a credential uses up only its own permissions. Operations with
 * `x-node-questions: refused` count only when they are refused.
 * @throws ApiError 429 `daily_cap_reached`
 */
export async function withNodeLimit<T>(
  ctx: Omit<DailyCapContext, 'caps'>,
  limits: Pick<DailyCapContext, 'caps'> | undefined,
  operation: Operation,
  { businessId }: Pick<Caller, 'businessId'>,
  work: () => Promise<T>,
): Promise<T> {
  const counts = operation['x-node-questions']
  if (counts === undefined || businessId === '') return work()
  if (!limits) throw new Error(`${operation.operationId} needs limits, and this contract is served without`)
  const counted = await countDaily({ ...ctx, ...limits }, businessId, 'nodeQuestionsPerDay', {
    separate: operation['x-permission'],
  })
  const done = await work()
  if (counts === 'refused') await counted.giveBack()
  return done
}
