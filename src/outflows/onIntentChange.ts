import type { Entry } from '../ledger/entry.ts'
import type { Tx } from '../platform/database/db.ts'
import { bookIntent } from '../txmgr/bookIntent.ts'
import type { OnChange } from '../txmgr/intents.ts'
import { readOutflows } from './outflow.ts'
import { keptOtherwise } from './outflowEntries.ts'

/**
 * Books what the network took, and lets a worker take the outflow further, whose own entry has what was sent.
 */
export const onIntentChange: OnChange = async (tx, row, before) => {
  // The outflow is locked before the accounts of the books, as where it is moved.
  await tx.query(
    "update outflows set next_at = now() where intent_id = $1 and (status not in ('failed', 'cancelled') or ended_by is not null)",
    [row.id],
  )
  await bookIntent(
    tx,
    row,
    before,
    before === 'confirmed' && row.status === 'confirmed' ? await keptOfTopUp(tx, row.id) : [],
  )
  await tx.query("select pg_notify('cowry_payouts', '')")
}

/** A top-up that is completed was booked with what was known then. */
async function keptOfTopUp(tx: Tx, intentId: string): Promise<Entry[]> {
  const [outflow] = await readOutflows(tx, "intent_id = $1 and kind = 'top_up'", [intentId])
  return outflow ? keptOtherwise(tx, outflow) : []
}
