import { bookIntent } from '../txmgr/bookIntent.ts'
import type { OnChange } from '../txmgr/intents.ts'

/** Books what an intent of a sweep moved and cost, and lets a worker take its sweeps further. */
export const onIntentChange: OnChange = async (tx, row, before) => {
  await bookIntent(tx, row, before)
  await tx.query(
    'update sweeps set next_at = now() where id in (select sweep_id from sweep_intents where intent_id = $1)',
    [row.id],
  )
  await tx.query("select pg_notify('cowry_sweeps', '')")
}
