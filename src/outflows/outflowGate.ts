import { approvalStateOf, wasApproved } from '../approvals/approvalState.ts'
import { pauseOf } from '../partnerPayments/partnerPauses.ts'
import type { Tx } from '../platform/database/db.ts'
import type { LimitsContext } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { type HoldContext, isBusinessHeld } from '../txmgr/hold.ts'
import { isPaused } from '../txmgr/pause.ts'
import { isRestoreSettled } from './ends/mayRelease.ts'
import type { Release } from './ends/waysToEnd.ts'
import { limitStop } from './limitStop.ts'
import type { Outflow } from './outflow.ts'
import { isGivenBackThere, isUnsettled, lockSource, reversedReason } from './outflowSource.ts'
import type { Screening } from './screening/requestScreening.ts'
import { screenedStop } from './screening/screenOutflow.ts'
import type { Stop } from './stop.ts'

/** What an outflow passes again until something of it is sent. */
interface IntentGateContext extends LimitsContext {
  /** Null: the operator screens nothing. */
  screening: object | null
  pollMs: number | null
}

export interface GateContext extends HoldContext, IntentGateContext {
  screening: Screening | null
}

/** A reason for which an outflow may not leave now, read in the caller's transaction. */
type Check<C = GateContext> = (ctx: C, tx: Tx, outflow: Outflow) => Promise<Stop | null>
type Waiting = Pick<GateContext, 'pollMs'>

/** Between two reads of what an operator or a member may change at any time. */
const lookMs = 30_000

const waitsFor = ({ pollMs }: Waiting, reason: string): Stop => ({
  reason,
  nextInMs: pollMs ?? lookMs,
  ends: false,
})
const ended = (ends: Release, reason: string = ends): Stop => ({ reason, nextInMs: 0, ends })

export const restoredReason = 'outgoing_restored'

/** It may have left before the database was restored, or the partner was not queried since. */
const restoredStop: Check<Waiting> = async (ctx, tx, outflow) =>
  (await isRestoreSettled(tx, outflow)) ? null : waitsFor(ctx, restoredReason)

/** Its business is suspended or, on mainnets, not approved. */
const holdStop: Check = async (ctx, tx, { businessId }) =>
  (await isBusinessHeld(ctx, tx, businessId)) ? waitsFor(ctx, 'held') : null

/** It lacks the approval that it needs, or requester or approver has lost the right since. */
const approvalStop: Check<Waiting> = async (ctx, tx, { id, needsApproval }) => {
  const standing = await approvalStateOf(tx, 'payout', id)
  if (standing === 'void' || standing === 'refused') return ended('approval_over', `approval_${standing}`)
  return needsApproval && standing !== 'approved' ? waitsFor(ctx, 'approval_missing') : null
}

const destinationStop: Check<Waiting> = async (ctx, tx, { businessId, destinationId }) => {
  if (destinationId === null) return null
  const [row] = await tx.query<{ isArchived: boolean; needsApproval: boolean; waitMs: number }>(
    `select archived_at is not null as "isArchived", needs_approval as "needsApproval", ceil(extract(epoch from usable_from - now()) * 1000)::float8 as "waitMs"
     from payout_destinations where id = $1 and business_id = $2`,
    [destinationId, businessId],
  )
  if (!row || row.isArchived) return ended('destination_archived')
  // An approval stays when the people involved have lost their rights: the destination was checked then.
  if (row.needsApproval && !(await wasApproved(tx, 'destination', destinationId))) {
    if ((await approvalStateOf(tx, 'destination', destinationId)) === 'waiting')
      return waitsFor(ctx, 'destination_approval')
    return { reason: 'destination_not_approved', nextInMs: 0, ends: 'destination_archived' }
  }
  return row.waitMs > 0 ? { reason: 'cooling_off', nextInMs: row.waitMs, ends: false } : null
}

/**
 * A fork has taken away what it gives back; one that names nothing is forged, and refused for its proofs. An
 * automatic payout waits until its session is settled again, which decides about it.
 */
const sourceStop: Check<Waiting> = async (ctx, tx, outflow) => {
  await lockSource(tx, outflow)
  const isNamed = outflow.sessionId !== null || outflow.paymentId !== null
  if (isNamed && !(await isGivenBackThere(tx, outflow))) return ended(reversedReason)
  const { automatic, releaseWaits } = outflow
  return automatic && (releaseWaits || (await isUnsettled(tx, outflow)))
    ? waitsFor(ctx, reversedReason)
    : null
}

/** The operator has paused the chain that a wallet is paid on. */
const pauseStop: Check<Waiting> = async (ctx, tx, { wallet }) =>
  wallet && (await isPaused(tx, wallet.chain)) ? waitsFor(ctx, 'outgoing_paused') : null

/** The operator has paused the partner that a bank is paid by, or that is topped up. */
const partnerPauseStop: Check<Waiting> = async (ctx, tx, { bank }) =>
  bank && (await pauseOf(tx, bank.partner)) ? waitsFor(ctx, 'partner_paused') : null

/**
 * Everything that keeps an outflow of any kind from leaving; each new reason belongs here. The age of
 * a price is read where a bank payout is prepared. While the database is restored nothing may end, so that
 * comes first; what counts against a limit comes last, so that nothing that waits for something uses it up.
 */
const checks: readonly Check[] = [
  restoredStop,
  holdStop,
  approvalStop,
  destinationStop,
  sourceStop,
  pauseStop,
  partnerPauseStop,
  screenedStop,
  limitStop,
]

/**
 * What may change after the claim, while nothing is sent. The transaction manager checks holds, pauses of
 * chains and restores by itself.
 */
const checksOfIntent: readonly Check<IntentGateContext>[] = [
  approvalStop,
  destinationStop,
  sourceStop,
  partnerPauseStop,
  screenedStop,
  limitStop,
]

/**
 * What may end it after its signature. What only waits does not count: the nonce of its transaction keeps
 * back all that the treasury sends on the chain, for every business.
 */
const checksOfSigned: readonly Check<IntentGateContext>[] = [
  approvalStop,
  destinationStop,
  sourceStop,
  screenedStop,
].map((check) => async (ctx, tx, outflow) => {
  const stop = await check(ctx, tx, outflow)
  return stop?.ends ? stop : null
})

async function firstStop<C>(of: readonly Check<C>[], ctx: C, tx: Tx, outflow: Outflow): Promise<Stop | null> {
  for (const check of of) {
    const stop = await check(ctx, tx, outflow)
    if (stop) return stop
  }
  return null
}

/**
 * The gate of all that leaves. Call it in the transaction that locks the row and stores that it may leave
 * from now on, before anything more may leave.
 * @param outflow locked by the caller
 * @returns why it does not leave; null: it may
 */
export const outflowStop = (ctx: GateContext, tx: Tx, outflow: Outflow): Promise<Stop | null> =>
  firstStop(checks, ctx, tx, outflow)

/** The same for one whose intent is stored, and not signed again. */
export const intentStop = (
  ctx: Omit<IntentGateContext, 'pollMs'>,
  tx: Tx,
  outflow: Outflow,
): Promise<Stop | null> => firstStop(checksOfIntent, { ...ctx, pollMs: null }, tx, outflow)

/** The same for one that is signed and not sent: it has passed the gate, and counts against its limits. */
export const signedStop = (
  ctx: Omit<IntentGateContext, 'pollMs'>,
  tx: Tx,
  outflow: Outflow,
): Promise<Stop | null> => firstStop(checksOfSigned, { ...ctx, pollMs: null }, tx, outflow)
