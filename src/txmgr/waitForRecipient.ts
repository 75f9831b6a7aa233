import { type ActionRefusedError, RecipientNotReadyError } from '../chains/sending.ts'
import type { Db } from '../platform/database/db.ts'
import type { Intent } from './intents.ts'

/** Shown for a transfer whose recipient cannot hold the token yet. */
const waitingReason = 'waiting_for_trustline'

/** The end of the waiting of a transfer that may wait for its recipient; null for all others. */
function waitsUntil({ action }: Pick<Intent, 'action'>): Date | null {
  const given = action.kind === 'transfer' ? action.ifNoTrustline : undefined
  return given?.kind === 'wait' ? given.until : null
}

/** @returns true if a refusal to plan an intent ends with time, and that time is not over */
export function mayWait(row: Intent, refusal: ActionRefusedError): boolean {
  const until = waitsUntil(row)
  return refusal instanceof RecipientNotReadyError && until !== null && until.getTime() > Date.now()
}

/**
 * @returns true if an intent has waited for its recipient until the end: it fails without another question to
 * the chain
 */
export function hasWaited(row: Intent): boolean {
  const until = waitsUntil(row)
  return row.reason === waitingReason && until !== null && until.getTime() <= Date.now()
}

/** Stores that an intent waits for its recipient. It is planned again with the next reconciles. */
export async function storeWaiting(db: Db, row: Intent, { publicText }: ActionRefusedError): Promise<void> {
  await db.query(
    `update intents set reason = $3, message = $4, updated_at = now()
     where id = $1 and reconciles = $2 and status = 'created' and (reason is distinct from $3 or message is distinct from $4)`,
    [row.id, row.reconciles, waitingReason, publicText],
  )
}
