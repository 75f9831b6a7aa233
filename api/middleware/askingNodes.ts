import type { Caller } from '../../src/accounts/caller.ts'
import { countDaily, type DailyCapContext } from '../../src/limits/dailyCaps.ts'
import type { Operation } from '../contract.ts'

/**
 * Carries out what asks nodes of a chain, counted before against what its business may ask in a day. Each permission has a count of its
 * own: a credential uses up only what it may do. Of an operation that is to move money only what is refused counts.
 * @throws ApiError 429 `daily_cap_reached`
 */
export async function askingNodes<T>(
  ctx: DailyCapContext,
  operation: Operation,
  { businessId }: Pick<Caller, 'businessId'>,
  work: () => Promise<T>,
): Promise<T> {
  const counts = operation['x-node-questions']
  if (counts === undefined || businessId === '') return work()
  const counted = await countDaily(ctx, businessId, 'nodeQuestionsPerDay', { separate: operation['x-permission'] })
  const done = await work()
  if (counts === 'refused') await counted.giveBack()
  return done
}
