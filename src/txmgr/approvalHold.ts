import { type ApprovalState, approvalStateOf, wasApproved } from '../approvals/approvalState.ts'
import { approvalHours } from '../approvals/requestApproval.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Intent } from './intents.ts'

/** An approval that an intent lacks. `fails`: why it fails for good; null while it waits. */
export interface ApprovalHold {
  fails: { reason: string; message: string } | null
}

const failures: Partial<Record<ApprovalState, ApprovalHold['fails']>> = {
  refused: { reason: 'approval_refused', message: 'An owner has refused it' },
  expired: {
    reason: 'approval_expired',
    message: `No second owner has approved it within ${approvalHours} hours`,
  },
  void: {
    reason: 'approval_void',
    message: 'The requester, or the owner who approved it, may no longer send from stored wallets',
  },
}

/** @returns null if the intent needs no approval by a second owner, or has it */
export async function approvalHold(
  db: Queryable,
  { id, purpose, status, needsApproval }: Intent,
): Promise<ApprovalHold | null> {
  if (!needsApproval) return null
  // An attempt may be in a block: bumping its fee moves nothing more.
  if (status !== 'created' && (await wasApproved(db, purpose, id))) return null
  const standing = await approvalStateOf(db, purpose, id)
  return standing === 'approved' ? null : { fails: failures[standing] ?? null }
}
