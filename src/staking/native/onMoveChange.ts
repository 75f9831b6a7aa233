import type { OnChange } from '../../txmgr/intents.ts'

/**
 * Lets a worker take a native stake further after a change of a transaction that unstakes or withdraws it.
 */
export const onMoveChange: OnChange = async (tx, row) => {
  await tx.query(
    'update stakes set next_at = now() where id = (select stake_id from stake_moves where intent_id = $1)',
    [row.id],
  )
  await tx.query("select pg_notify('cowry_staking', '')")
}
