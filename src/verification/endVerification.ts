import { aboutNothing, type EventType, recordEvents } from '../events/recordEvents.ts'
import { returnCredit, takeCredit } from '../ledger/creditHold.ts'
import type { Tx } from '../platform/database/db.ts'
import { type Outcome, reasons, requestColumns, type StoredRequest } from './model.ts'
import { presentRequest } from './presentVerification.ts'

/**
 * Ends a request once: its outcome, its charge and, of a verification, its event, in the caller's
 * transaction.
 * @returns false if it has ended before: nothing changes
 */
export async function endVerification(tx: Tx, id: string, outcome: Outcome): Promise<boolean> {
  const [reasonCode, reason] =
    outcome.status === 'completed' ? [null, null] : [outcome.reasonCode, reasons[outcome.reasonCode]]
  const answer = outcome.status === 'completed' ? (outcome.answer ?? null) : null
  const [ended] = await tx.query<StoredRequest>(
    `update verifications set status = $2, reason_code = $3, reason = $4, answer = $5, completed_at = now(), next_attempt_at = null
     where id = $1 and status in ('queued', 'processing') returning ${requestColumns}`,
    [id, outcome.status, reasonCode, reason, answer],
  )
  if (!ended) return false
  const hold = { businessId: ended.businessId, cause: { kind: 'verification', id } } as const
  await (outcome.status === 'error' ? returnCredit(tx, hold) : takeCredit(tx, hold))
  if (ended.kind !== 'verification') return true
  const type: EventType = `verification.${outcome.status}`
  recordEvents(tx, ended.businessId, [{ type, data: eventData(ended), about: aboutNothing }])
  return true
}

/** No personal data: receivers get it by the id, with a secret key. */
function eventData(row: StoredRequest) {
  const { id, requestId, status, reasonCode, price } = presentRequest(row)
  return { id, requestId, status, reasonCode: reasonCode ?? null, price }
}
