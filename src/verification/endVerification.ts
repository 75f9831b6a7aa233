import { aboutNothing, type EventType, recordEvents } from '../events/recordEvents.ts'
import { returnCredit, takeCredit } from '../ledger/creditHold.ts'
import type { Tx } from '../platform/db.ts'
import { type Outcome, type StoredVerification, verificationColumns } from './model.ts'
import { presentStatus } from './presentVerification.ts'

/**
 * Ends a verification once: its outcome, its charge and its event, in the caller's transaction.
 * @returns false if it has ended before: nothing changes
 */
export async function endVerification(tx: Tx, id: string, outcome: Outcome): Promise<boolean> {
  const [reasonCode, reason] = outcome.status === 'completed' ? [null, null] : [outcome.reasonCode, outcome.reason]
  const [ended] = await tx.query<StoredVerification>(
    `update verifications set status = $2, reason_code = $3, reason = $4, completed_at = now(), next_attempt_at = null
     where id = $1 and status in ('queued', 'processing') returning ${verificationColumns}`,
    [id, outcome.status, reasonCode, reason],
  )
  if (!ended) return false
  const hold = { businessId: ended.businessId, cause: { kind: 'verification', id } } as const
  await (outcome.status === 'error' ? returnCredit(tx, hold) : takeCredit(tx, hold))
  const type: EventType = `verification.${outcome.status}`
  recordEvents(tx, ended.businessId, [{ type, data: eventData(ended), about: aboutNothing }])
  return true
}

/** No personal data: receivers get it by the id, with a secret key. */
function eventData(row: StoredVerification) {
  const { id, requestId, status, reasonCode, price } = presentStatus(row)
  return { id, requestId, status, reasonCode: reasonCode ?? null, price }
}
