import { approvalHours } from '../approvals/askApproval.ts'
import { type Standing, standingOf, wasApproved } from '../approvals/standing.ts'
import type { Queryable } from '../platform/db.ts'
import type { Outgoing } from './outgoing.ts'

/** What keeps an intent from being planned and signed. `fails`: for good, and why; null: it waits. */
export interface ApprovalHold {
  fails: { reason: string; message: string } | null
}

const failures: Partial<Record<Standing, ApprovalHold['fails']>> = {
  refused: { reason: 'approval_refused', message: 'An owner has refused it' },
  expired: { reason: 'approval_expired', message: `No second owner has approved it within ${approvalHours} hours` },
  void: { reason: 'approval_void', message: 'Who asked for it, or who approved it, may no longer send from stored wallets' },
}

/** Whether an intent has the second member's approval that it needs, if it needs one; null where nothing holds it. */
export async function approvalHold(db: Queryable, { id, purpose, status, needsApproval }: Outgoing): Promise<ApprovalHold | null> {
  if (!needsApproval) return null
  // What was signed may be in a block: a dearer transaction of it moves nothing more.
  if (status !== 'created' && (await wasApproved(db, purpose, id))) return null
  const standing = await standingOf(db, purpose, id)
  return standing === 'approved' ? null : { fails: failures[standing] ?? null }
}
