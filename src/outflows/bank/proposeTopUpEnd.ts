import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import type { Db } from '../../platform/database/db.ts'
import { requireOperator } from '../ends/requireOperator.ts'
import { storeProposal, tryOut } from '../ends/storeProposal.ts'
import { readStored } from '../outflow.ts'
import { endTopUp } from './endTopUp.ts'

/**
 * Proposes to end a top-up that does not arrive, which another operator has to approve (`decideEnd`). Nothing
 * changes; it is checked again then. Audited.
 * @param email of the operator who proposes it
 * @returns the id of the proposal
 * @throws ApiError as `endTopUp`; 403 `not_an_operator`
 */
export async function proposeTopUpEnd(
  ctx: { db: Db },
  actor: Actor,
  outflowId: string,
  evidence: string,
  email: string,
): Promise<string> {
  await tryOut(ctx.db, async (tx) => {
    const operator = await requireOperator(tx, email)
    await endTopUp(tx, actor, outflowId, { operator: operator.email, evidence })
  })
  return ctx.db.tx(async (tx) => {
    const operator = await requireOperator(tx, email)
    const { revision } = await readStored(tx, outflowId)
    const status = 'not_arrived'
    const id = await storeProposal(tx, {
      status,
      revision,
      evidence,
      outflowId,
      operatorId: operator.id,
      said: null,
    })
    const after = { proposal: id, status, proposer: operator.email, evidence }
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'outflow.end_proposed',
      target: outflowId,
      after,
    })
    return id
  })
}
