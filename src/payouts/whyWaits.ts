import { standingOf, wasApproved } from '../approvals/standing.ts'
import type { Db } from '../platform/db.ts'
import { type HoldContext, isBusinessHeld } from '../txmgr/hold.ts'
import { isPaused } from '../txmgr/pause.ts'
import { isRestored } from '../txmgr/restored.ts'
import { limitStop } from './limitStop.ts'
import type { Outflow } from './outflow.ts'
import type { LimitsContext } from './requireWithinPayoutLimits.ts'
import { type ScreeningContext, screeningStop } from './screenOutflow.ts'
import type { Stop } from './stop.ts'

export interface WaitContext extends ScreeningContext, HoldContext, LimitsContext {
  db: Db
  pollMs: number | null
}

export const restoredReason = 'outgoing_restored'
/** Between two looks at what an operator or a member may change at any time. */
const lookMs = 30_000

/**
 * Checks if a pending outflow may leave. What costs nothing is checked first; what counts against a limit last, so that nothing that waits for something
 * uses it up.
 * @returns null if it may leave
 */
export async function whyWaits(ctx: WaitContext, outflow: Outflow): Promise<Stop | null> {
  for (const stop of [holdStop, approvalStop, destinationStop, restoredStop, pauseStop, screeningStop, limitStop]) {
    const found = await stop(ctx, outflow)
    if (found) return found
  }
  return null
}

const waitsFor = ({ pollMs }: WaitContext, reason: string): Stop => ({ reason, nextInMs: pollMs ?? lookMs, ends: false })

/** Its business is suspended or, on mainnets, not approved. */
const holdStop = async (ctx: WaitContext, { businessId }: Outflow): Promise<Stop | null> =>
  (await isBusinessHeld(ctx, ctx.db, businessId)) ? waitsFor(ctx, 'held') : null

/** It lacks the approval that it needs, or requester or approver has lost the right since. */
async function approvalStop(ctx: WaitContext, { id, needsApproval }: Outflow): Promise<Stop | null> {
  const standing = await standingOf(ctx.db, 'payout', id)
  if (standing === 'void' || standing === 'refused') return { reason: `approval_${standing}`, nextInMs: 0, ends: true }
  return needsApproval && standing !== 'approved' ? waitsFor(ctx, 'approval_missing') : null
}

async function destinationStop(ctx: WaitContext, { businessId, destinationId }: Outflow): Promise<Stop | null> {
  if (destinationId === null) return null
  const { db } = ctx
  const [row] = await db.query<{ isArchived: boolean; needsApproval: boolean; waitMs: number }>(
    `select archived_at is not null as "isArchived", needs_approval as "needsApproval", ceil(extract(epoch from usable_from - now()) * 1000)::float8 as "waitMs"
     from payout_destinations where id = $1 and business_id = $2`,
    [destinationId, businessId],
  )
  if (!row || row.isArchived) return { reason: 'destination_archived', nextInMs: 0, ends: true }
  // An approval stays when the people involved have lost their rights: the destination was checked then.
  if (row.needsApproval && !(await wasApproved(db, 'destination', destinationId))) {
    if ((await standingOf(db, 'destination', destinationId)) === 'waiting') return waitsFor(ctx, 'destination_approval')
    return { reason: 'destination_not_approved', nextInMs: 0, ends: true }
  }
  return row.waitMs > 0 ? { reason: 'cooling_off', nextInMs: row.waitMs, ends: false } : null
}

/** It may have left before the database was restored. */
const restoredStop = async (ctx: WaitContext): Promise<Stop | null> => ((await isRestored(ctx.db)) ? waitsFor(ctx, restoredReason) : null)

/** The chain that a wallet is paid on is paused. */
const pauseStop = async (ctx: WaitContext, { wallet }: Outflow): Promise<Stop | null> =>
  wallet && (await isPaused(ctx.db, wallet.chain)) ? waitsFor(ctx, 'outgoing_paused') : null
