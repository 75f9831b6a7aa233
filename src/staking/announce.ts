import type { Tx } from '../platform/database/db.ts'
import { recordStakeEvent } from './recordStakeEvent.ts'
import type { Stake, StakeStatus } from './storedStake.ts'

/**
 * Publishes the states that a native stake has reached, in their order, without the one that was published
 * last: a fork may take a state back, and then it is published again when it is reached again.
 * @param part as it was locked, with the state that was published last
 */
export async function announce(
  tx: Tx,
  { id, announced }: Pick<Stake, 'id' | 'announced'>,
  reached: readonly StakeStatus[],
): Promise<void> {
  const last = announced ?? 'active'
  const news = reached.at(-1) === last ? [] : reached.filter((status) => status !== last)
  for (const status of news) await recordStakeEvent(tx, id, `stake.${status}`)
  if (news.length > 0)
    await tx.query("update stakes set announced = nullif($2, 'active') where id = $1", [id, news.at(-1)])
}
