import type { Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Said, WantedEnd } from './handEvidence.ts'

/** Hours that a proposal waits for another operator, as adjustments do. */
const waitingHours = 72

interface NewProposal extends Pick<WantedEnd, 'revision' | 'evidence' | 'paidByPlatform'> {
  outflowId: string
  status: WantedEnd['status'] | 'not_arrived'
  operatorId: string
  said: Said | null
}

/** Stores an end that another operator has to approve. @returns its id */
export async function storeProposal(
  tx: Tx,
  { outflowId, status, revision, evidence, paidByPlatform = false, operatorId, said }: NewProposal,
): Promise<string> {
  const id = newId()
  await tx.query(
    `insert into outflow_ends (id, outflow_id, revision, status, paid_by_platform, evidence, tx_id, partner_payment_id, partner_cost, proposed_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 hour')`,
    [
      ...[
        id,
        outflowId,
        revision,
        status,
        paidByPlatform,
        evidence,
        said?.txId ?? null,
        said?.partnerPaymentId ?? null,
      ],
      ...[said?.partnerCost ? String(said.partnerCost) : null, operatorId, waitingHours],
    ],
  )
  return id
}

/** Tries what an approval does, and rolls it back. */
export async function tryOut<T>(
  db: { tx<R>(work: (tx: Tx) => Promise<R>): Promise<R> },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const tried: { result?: T } = {}
  const rollback = new Error('rolled back')
  await db
    .tx(async (tx) => {
      tried.result = await work(tx)
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  return tried.result as T
}
