import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { giveUp } from '../../txmgr/giveUp.ts'
import { isRestored } from '../../txmgr/restored.ts'
import { moveOutflow, type OutflowChange } from '../moveOutflow.ts'
import { lockOutflow, type Outflow } from '../outflow.ts'
import type { OutflowEventContext } from '../outflowEvents.ts'
import { outflowPurpose } from '../outflowPurpose.ts'
import { revisionOutdated } from '../revisionOutdated.ts'
import { checkEvidence, type Said, type WantedEnd } from './handEvidence.ts'
import { requireReleasable } from './mayRelease.ts'
import { wayOf } from './waysToEnd.ts'

/**
 * Locks an outflow that operators may end as wanted: an unknown one, one that left before a restore, or one
 * that the platform has paid in another way. Gives an intent up that the treasury may have signed before the
 * restore.
 * @throws ApiError 404; 400 naming the field; 409 `outflow_not_unknown`, `revision_outdated`,
 * `transaction_open`, `evidence_taken`, `restore_unsettled`
 */
export async function lockToEnd(
  tx: Tx,
  id: string,
  wanted: WantedEnd,
): Promise<{ before: Outflow; said: Said }> {
  const before = await lockOutflow(tx, id)
  if (!before) throw notFound('Outflow')
  if (before.revision !== wanted.revision) throw revisionOutdated(before)
  if (wanted.paidByPlatform) await requireUnsent(tx, before)
  else if (before.status !== 'unknown') await requireLost(tx, before, wanted)
  else if (wanted.status === 'failed') await requireReleasable(tx, before)
  return { before, said: await checkEvidence(tx, before, wanted) }
}

/**
 * Ends an outflow by the decision of two operators, for which neither the chain nor the partner gives an end.
 * It is followed all the same: what they report later raises an alarm where it contradicts, and moves no
 * money. Audited. Only an approved proposal comes here (`decideEnd`).
 * @param by who proposed and who approved it
 * @throws ApiError as `lockToEnd`
 */
export async function endByHand(
  ctx: OutflowEventContext,
  tx: Tx,
  actor: Actor,
  id: string,
  wanted: WantedEnd,
  by: { proposer: string; approver: string },
): Promise<Outflow> {
  const { before, said } = await lockToEnd(tx, id, wanted)
  const { txId, ...atPartner } = said
  const { status, evidence, paidByPlatform = false } = wanted
  const after = await moveOutflow(ctx, tx, before, {
    ...changeTo(status),
    ...atPartner,
    ...(paidByPlatform && { paidElsewhere: 'The platform has paid it in another way' }),
    byHand: { by: `${by.proposer}, ${by.approver}`, evidence, txId },
    nextInMs: paidByPlatform ? null : 0,
  })
  await recordAudit(tx, actor, {
    businessId: before.businessId,
    action: 'outflow.ended_by_hand',
    target: id,
    before: { status: before.status, reason: before.reason },
    after: { status, ...by, evidence, ...(paidByPlatform && { paidByPlatform }), ...shownSaid(said) },
  })
  await tx.query("select pg_notify('cowry_payouts', '')")
  return after
}

const changeTo = (status: WantedEnd['status']): OutflowChange =>
  status === 'failed'
    ? { status, release: 'operators_failed', reason: 'ended_by_operator' }
    : { status, reason: null }

/**
 * Nothing of it can have left. A link of a refund may have been used before a restore: then it is booked as
 * paid, not given back.
 */
async function requireUnsent(tx: Tx, before: Outflow): Promise<void> {
  const way = wayOf('paid_by_platform')
  if (!way.kinds.includes(before.kind) || !way.from.includes(before.status))
    throw new ApiError(
      409,
      'outflow_not_open',
      `it is ${before.status}: the platform pays in another way only what has not left`,
    )
  if (before.status !== 'awaiting_claim') await requireReleasable(tx, before)
}

/**
 * After a restore one that has not left, as far as the database knows, may have left all the same. A bank's
 * is queried at the partner by our own id; of a wallet's the operator knows the transaction. What the
 * treasury may have signed here is queried on the chain.
 */
async function requireLost(tx: Tx, { status, wallet, intentId }: Outflow, wanted: WantedEnd): Promise<void> {
  const way = wayOf('left_before_restore')
  const isLost =
    wanted.status === 'completed' && wallet !== null && way.from.includes(status) && (await isRestored(tx))
  if (!isLost)
    throw new ApiError(409, 'outflow_not_unknown', `it is ${status}: only an unknown one is ended by hand`)
  if (intentId !== null) await giveUp({ purposes: [outflowPurpose] }, tx, intentId)
}

/** For the audit log. */
export const shownSaid = ({ txId, partnerPaymentId, partnerCost }: Said) => ({
  ...(txId !== null && { txId }),
  ...(partnerPaymentId && { partnerPaymentId }),
  ...(partnerCost && { partnerCost: String(partnerCost) }),
})
