import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { endTopUp } from '../bank/endTopUp.ts'
import { type Outflow, readStored } from '../outflow.ts'
import type { OutflowEventContext } from '../outflowEvents.ts'
import { endByHand } from './endByHand.ts'
import type { WantedEnd } from './handEvidence.ts'
import { requireOperator } from './requireOperator.ts'

type Decision = 'approved' | 'refused'

interface Proposal {
  outflowId: string
  status: WantedEnd['status'] | 'not_arrived'
  revision: number
  evidence: string
  paidByPlatform: boolean
  txId: string | null
  partnerPaymentId: string | null
  partnerCost: string | null
  proposedBy: string
  proposer: string
  decision: Decision | null
  isOver: boolean
}

/**
 * Approves a proposed end, which ends the outflow (or the wait for a top-up) in the same transaction, or
 * refuses it. Who proposed it may refuse it but not approve it.
 * @param email of the operator who decides
 * @returns the outflow, ended; null for a refusal
 * @throws ApiError 403 `own_request`, `not_an_operator`; 404; 409 `end_decided`, `end_expired`, `end_void`,
 * and as `lockToEnd` and `endTopUp`
 */
export async function decideEnd(
  ctx: OutflowEventContext & { db: Db },
  actor: Actor,
  id: string,
  decision: Decision,
  email: string,
): Promise<Outflow | null> {
  return ctx.db.tx(async (tx) => {
    const operator = await requireOperator(tx, email)
    const proposal = await lockProposal(tx, id)
    if (proposal.decision !== null) throw new ApiError(409, 'end_decided', 'It was already decided')
    if (decision === 'approved') await requireSecond(tx, proposal, operator)
    const ended = decision === 'approved' ? await carryOut(ctx, tx, actor, proposal, operator.email) : null
    await tx.query(
      'update outflow_ends set decision = $2, decided_by = $3, decided_at = now() where id = $1',
      [id, decision, operator.id],
    )
    const after = {
      proposal: id,
      status: proposal.status,
      proposer: proposal.proposer,
      decidedBy: operator.email,
    }
    if (decision === 'refused')
      await recordAudit(tx, actor, {
        businessId: null,
        action: 'outflow.end_refused',
        target: proposal.outflowId,
        after,
      })
    return ended
  })
}

async function lockProposal(tx: Tx, id: string): Promise<Proposal> {
  const [row] = isUuid(id)
    ? await tx.query<Proposal>(
        `select outflow_id as "outflowId", status, revision, evidence, paid_by_platform as "paidByPlatform", tx_id as "txId",
           partner_payment_id as "partnerPaymentId", partner_cost::text as "partnerCost", proposed_by as "proposedBy", a.email as proposer, decision,
           expires_at <= now() as "isOver"
         from outflow_ends e join accounts a on a.id = e.proposed_by where e.id = $1 for update of e`,
        [id],
      )
    : []
  if (!row) throw notFound('Proposal')
  return row
}

/** Two people: the proposal counts only while its author is an operator. @throws ApiError 403, 409 */
async function requireSecond(
  tx: Tx,
  { proposedBy, proposer, isOver }: Proposal,
  operator: { id: string },
): Promise<void> {
  if (isOver) throw new ApiError(409, 'end_expired', 'The time to decide is over: propose it again')
  if (proposedBy === operator.id)
    throw new ApiError(403, 'own_request', 'Another operator must approve it: you proposed it')
  const [author] = await tx.query<{ operator: boolean }>(
    'select operator from accounts where id = $1 for key share',
    [proposedBy],
  )
  if (!author?.operator)
    throw new ApiError(409, 'end_void', `${proposer} proposed it, and is no longer an operator`)
}

async function carryOut(
  ctx: OutflowEventContext,
  tx: Tx,
  actor: Actor,
  row: Proposal,
  approver: string,
): Promise<Outflow> {
  const {
    outflowId,
    status,
    revision,
    evidence,
    paidByPlatform,
    txId,
    partnerPaymentId,
    partnerCost,
    proposer,
  } = row
  if (status === 'not_arrived') {
    await endTopUp(tx, actor, outflowId, { operator: `${proposer}, ${approver}`, evidence })
    return readStored(tx, outflowId)
  }
  const wanted: WantedEnd = {
    status,
    revision,
    evidence,
    paidByPlatform,
    ...(txId !== null && { txId }),
    ...(partnerPaymentId !== null && { partnerPaymentId }),
    ...(partnerCost !== null && { partnerCost: BigInt(partnerCost) }),
  }
  return endByHand(ctx, tx, actor, outflowId, wanted, { proposer, approver })
}
