import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { lockToEnd, shownSaid } from './endByHand.ts'
import type { Said, WantedEnd } from './handEvidence.ts'
import type { Outflow } from './outflow.ts'
import { requireOperator } from './requireOperator.ts'

/** Hours that a proposal waits for another operator, as adjustments do. */
const waitingHours = 72

/**
 * Proposes to end an outflow by hand, which another operator has to approve. Nothing changes; it is checked again then. Audited.
 * @param email of the operator who proposes it
 * @returns the id of the proposal
 * @throws ApiError as `lockToEnd`; 403 `not_an_operator`
 */
export async function proposeEnd(ctx: { db: Db }, actor: Actor, outflowId: string, wanted: WantedEnd, email: string): Promise<string> {
  const { before, said } = await check(ctx.db, outflowId, wanted, email)
  const { status, revision, evidence, paidByPlatform = false } = wanted
  return ctx.db.tx(async (tx) => {
    const operator = await requireOperator(tx, email)
    const id = newId()
    await tx.query(
      `insert into outflow_ends (id, outflow_id, revision, status, paid_by_platform, evidence, tx_id, partner_payment_id, partner_cost, proposed_by, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 hour')`,
      [
        ...[id, outflowId, revision, status, paidByPlatform, evidence, said.txId, said.partnerPaymentId],
        ...[said.partnerCost ? String(said.partnerCost) : null, operator.id, waitingHours],
      ],
    )
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'outflow.end_proposed',
      target: outflowId,
      before: { status: before.status, reason: before.reason },
      after: { proposal: id, status, proposer: operator.email, evidence, ...(paidByPlatform && { paidByPlatform }), ...shownSaid(said) },
    })
    return id
  })
}

/** Tries what the approval does, and rolls it back. */
async function check(db: Db, outflowId: string, wanted: WantedEnd, email: string): Promise<{ before: Outflow; said: Said }> {
  const tried: { result?: { before: Outflow; said: Said } } = {}
  const rollback = new Error('rolled back')
  await db
    .tx(async (tx) => {
      await requireOperator(tx, email)
      tried.result = await lockToEnd(tx, outflowId, wanted)
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  if (!tried.result) throw rollback
  return tried.result
}
