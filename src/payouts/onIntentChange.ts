import { bookIntent } from '../txmgr/bookIntent.ts'
import type { OnChange } from '../txmgr/intents.ts'

/** Books what the network took, and lets a worker take the outflow further, whose own entry has what was sent. */
export const onIntentChange: OnChange = async (tx, row, before) => {
  // The outflow is locked before the accounts of the books, as where it is moved.
  await tx.query("update outflows set next_at = now() where intent_id = $1 and (status not in ('failed', 'cancelled') or ended_by is not null)", [
    row.id,
  ])
  await bookIntent(tx, row, before)
  await tx.query("select pg_notify('cowry_payouts', '')")
}
