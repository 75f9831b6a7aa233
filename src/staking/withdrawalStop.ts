import type { Queryable } from '../platform/database/db.ts'
import { isSuspended } from '../txmgr/hold.ts'
import type { Intent, IntentStop } from '../txmgr/intents.ts'

/** A payment to a suspended business waits, with its row: no other one is made in its place. */
export async function withdrawalStop(db: Queryable, { id }: Pick<Intent, 'id'>): Promise<IntentStop | null> {
  const [stake] = await db.query<{ businessId: string }>(
    'select s.business_id as "businessId" from stake_payments p join stakes s on s.id = p.stake_id where p.intent_id = $1',
    [id],
  )
  return stake && (await isSuspended(db, stake.businessId))
    ? { reason: 'business_suspended', ends: false, waits: true }
    : null
}
