import { bookIntent } from '../txmgr/bookIntent.ts'
import type { OnChange } from '../txmgr/intents.ts'

/**
 * Books the cost of a mint, and lets a worker take the transfer further. A burn follows its allowance at
 * once.
 */
export const onIntentChange: OnChange = async (tx, row, before) => {
  await bookIntent(tx, row, before)
  await tx.query(
    'update bridge_transfers set next_at = now() where $1 in (id, approval_intent_id, mint_intent_id, reclaim_intent_id)',
    [row.id],
  )
  await tx.query("select pg_notify('cowry_bridge', '')")
  if (row.purpose !== 'bridge-approval' || row.status === 'created') return
  await tx.query(
    `update intents set next_reconcile_at = now() where status = 'created' and next_reconcile_at > now()
       and id = (select id from bridge_transfers where approval_intent_id = $1)`,
    [row.id],
  )
  await tx.query("select pg_notify('cowry_intents', '')")
}
