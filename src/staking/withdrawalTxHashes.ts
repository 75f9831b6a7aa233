import type { Queryable } from '../platform/database/db.ts'
import type { Stake } from './storedStake.ts'

/**
 * By stake: the signed transactions that pay its withdrawal, oldest first, without those that failed. Of
 * stakes of one business.
 */
export async function withdrawalTxHashes(
  db: Queryable,
  stakes: readonly Pick<Stake, 'id' | 'withdrawRequestedAt'>[],
): Promise<Map<string, string[]>> {
  const requested = stakes.filter((stake) => stake.withdrawRequestedAt !== null).map(({ id }) => id)
  if (requested.length === 0) return new Map()
  const rows = await db.query<{ id: string; txIds: string[] }>(
    `select paid.stake_id as id, array_agg(i.tx_id order by paid.created_at, i.id) as "txIds"
     from (
       select stake_id, intent_id, created_at from stake_payments where stake_id = any($1::uuid[])
       union all
       select stake_id, intent_id, created_at from stake_moves where stake_id = any($1::uuid[]) and kind = 'withdrawal'
     ) paid join intents i on i.id = paid.intent_id
     where i.tx_id is not null and i.status not in ('failed', 'expired') group by paid.stake_id`,
    [requested],
  )
  return new Map(rows.map(({ id, txIds }) => [id, txIds]))
}
