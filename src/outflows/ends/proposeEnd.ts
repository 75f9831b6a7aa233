import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import type { Db } from '../../platform/database/db.ts'
import { lockToEnd, shownSaid } from './endByHand.ts'
import type { WantedEnd } from './handEvidence.ts'
import { requireOperator } from './requireOperator.ts'
import { storeProposal, tryOut } from './storeProposal.ts'

/**
 * Proposes to end an outflow by hand, which another operator has to approve. Nothing changes; it is checked
 * again then. Audited.
 * @param email of the operator who proposes it
 * @returns the id of the proposal
 * @throws ApiError as `lockToEnd`; 403 `not_an_operator`
 */
export async function proposeEnd(
  ctx: { db: Db },
  actor: Actor,
  outflowId: string,
  wanted: WantedEnd,
  email: string,
): Promise<string> {
  const { before, said } = await tryOut(ctx.db, async (tx) => {
    await requireOperator(tx, email)
    return lockToEnd(tx, outflowId, wanted)
  })
  const { status, evidence, paidByPlatform = false } = wanted
  return ctx.db.tx(async (tx) => {
    const operator = await requireOperator(tx, email)
    const id = await storeProposal(tx, { ...wanted, outflowId, operatorId: operator.id, said })
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'outflow.end_proposed',
      target: outflowId,
      before: { status: before.status, reason: before.reason },
      after: {
        proposal: id,
        status,
        proposer: operator.email,
        evidence,
        ...(paidByPlatform && { paidByPlatform }),
        ...shownSaid(said),
      },
    })
    return id
  })
}
