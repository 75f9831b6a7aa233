import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { transactionId } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import type { Db, Tx } from '../platform/db.ts'
import { ApiError, invalidBody, notFound } from '../platform/errors.ts'
import { giveUp } from '../txmgr/giveUp.ts'
import { readIntents } from '../txmgr/intents.ts'
import { isRestored } from '../txmgr/restored.ts'
import { isOfIntent } from './followEnded.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockOutflow, type Outflow, type OutflowStatus } from './outflow.ts'
import { revisionOutdated } from './payoutNotOpen.ts'
import { payoutPurpose } from './payoutPurpose.ts'
import type { PayoutEventContext } from './recordPayoutEvents.ts'

export interface WantedEnd {
  status: 'completed' | 'failed'
  /** That the operator has seen. */
  revision: number
  operator: string
  evidence: string
  /** Of a completed one to a wallet: the transaction that paid it. */
  txId?: string | undefined
  /** Of a completed one to a bank: the partner's id of the payment, and what the partner took, in millionths of a US dollar. */
  partnerPaymentId?: string | undefined
  partnerCost?: bigint | undefined
}

/** What the operator says, checked. */
type Said = { txId: string | null } & Partial<Pick<Outflow, 'partnerPaymentId' | 'partnerCost'>>

/**
 * Ends an unknown outflow, or one that left before a restore, on the word of an operator, for which neither the chain nor the partner gives an end. It is followed all the same: what they say
 * later raises an alarm where it contradicts, and moves no money. Audited.
 * @throws ApiError 404; 400 naming the field; 409 `outflow_not_unknown`, `revision_outdated`, `transaction_open`, `evidence_taken`
 */
export async function endByHand(ctx: PayoutEventContext & { db: Db }, actor: Actor, id: string, wanted: WantedEnd): Promise<Outflow> {
  return ctx.db.tx(async (tx) => {
    const before = await lockOutflow(tx, id)
    if (!before) throw notFound('Outflow')
    if (before.revision !== wanted.revision) throw revisionOutdated(before)
    if (before.status !== 'unknown') await requireLost(tx, before, wanted)
    const { txId, ...said } = before.wallet ? await onChain(tx, before, wanted) : await atPartner(tx, before, wanted)
    const { status, operator: by, evidence } = wanted
    const after = await moveOutflow(ctx, tx, before, {
      ...(status === 'failed' ? { status, release: 'operators_failed' } : { status }),
      reason: status === 'failed' ? 'ended_by_operator' : null,
      ...said,
      byHand: { by, evidence, txId },
      nextInMs: 0,
    })
    await recordAudit(tx, actor, {
      businessId: before.businessId,
      action: 'outflow.ended_by_hand',
      target: id,
      before: { status: before.status, reason: before.reason },
      after: { status, operator: by, evidence, ...shown(txId, said) },
    })
    await tx.query("select pg_notify('cowry_payouts', '')")
    return after
  })
}

/**
 * After a restore one that has not left, as far as the database knows, may have left all the same. A bank's is asked of the partner by our own id; of a
 * wallet's the operator knows the transaction. What the treasury may have signed here is asked of the chain.
 */
async function requireLost(tx: Tx, { status, wallet, intentId }: Outflow, wanted: WantedEnd): Promise<void> {
  const isLost = wanted.status === 'completed' && wallet !== null && beforeIt.includes(status) && (await isRestored(tx))
  if (!isLost) throw new ApiError(409, 'outflow_not_unknown', `it is ${status}: only an unknown one is ended by hand`)
  if (intentId !== null) await giveUp({ purposes: [payoutPurpose] }, tx, intentId)
}
const beforeIt: readonly OutflowStatus[] = ['awaiting_approval', 'pending', 'processing']

const shown = (txId: string | null, { partnerPaymentId, partnerCost }: Omit<Said, 'txId'>) => ({
  ...(txId !== null && { txId }),
  ...(partnerPaymentId && { partnerPaymentId }),
  ...(partnerCost && { partnerCost: String(partnerCost) }),
})

/** While a transaction of ours may still be mined, nothing but that transaction is believed. */
async function onChain(tx: Tx, { id, intentId, wallet }: Outflow, { status, txId: given, partnerPaymentId, partnerCost }: WantedEnd): Promise<Said> {
  if (partnerPaymentId !== undefined || partnerCost !== undefined) throw invalidBody({ field: 'payment', message: 'is of payouts to banks' })
  const txId = status === 'failed' ? null : requireTxId(wallet?.chain ?? '', given)
  if (status === 'failed' && given !== undefined) throw invalidBody({ field: 'tx', message: 'is of completed payouts' })
  const [intent] = intentId === null ? [] : await readIntents(tx, 'id = $1', [intentId])
  const isOwn = intent !== undefined && txId !== null && (await isOfIntent(tx, intent.id, txId))
  if (intent && !intent.settled && !isOwn)
    throw new ApiError(409, 'transaction_open', `its transaction ${intent.txId ?? ''} may still be mined: npm run intents shows it`)
  if (intent?.status === 'confirmed') throw new ApiError(409, 'transaction_open', `the chain has paid it by ${intent.txId}: a worker completes it`)
  if (txId === null) return { txId }
  const taken = await tx.query(
    `select 1 from intent_attempts a join intents i on i.id = a.intent_id where a.tx_id = $1 and i.chain = $2 and i.id is distinct from $3
     union all select 1 from outflows where to_chain = $2 and ended_tx_id = $1 and id <> $4`,
    [txId, wallet?.chain, intentId, id],
  )
  if (taken.length > 0) throw evidenceTaken('tx', txId)
  return { txId }
}

function requireTxId(chain: string, given: string | undefined): string {
  if (given === undefined) throw invalidBody({ field: 'tx', message: 'is required: the transaction that paid it' })
  const txId = transactionId(registeredChain(chain).family, given)
  if (txId === null) throw invalidBody({ field: 'tx', message: `is not the id of a transaction of ${chain}` })
  return txId
}

async function atPartner(tx: Tx, { id, bank, ...row }: Outflow, { status, txId, partnerPaymentId, partnerCost }: WantedEnd): Promise<Said> {
  if (txId !== undefined) throw invalidBody({ field: 'tx', message: 'is of payouts to wallets' })
  if (status === 'failed') {
    if (partnerPaymentId !== undefined || partnerCost !== undefined) throw invalidBody({ field: 'payment', message: 'is of completed payouts' })
    return { txId: null }
  }
  if (partnerPaymentId === undefined) throw invalidBody({ field: 'payment', message: "is required: the partner's id of the payment" })
  if (!/^[\w-]{1,200}$/.test(partnerPaymentId)) throw invalidBody({ field: 'payment', message: 'is not the id of a payment' })
  if (partnerCost === undefined || partnerCost <= 0n)
    throw invalidBody({ field: 'cost', message: 'is required: the US dollars that the partner took, with its fee' })
  if (row.partnerPaymentId !== null && row.partnerPaymentId !== partnerPaymentId)
    throw new ApiError(409, 'evidence_taken', `the partner has named another payment for it: ${row.partnerPaymentId}`)
  const taken = await tx.query('select 1 from outflows where partner = $1 and partner_payment_id = $2 and id <> $3', [
    bank?.partner,
    partnerPaymentId,
    id,
  ])
  if (taken.length > 0) throw evidenceTaken('payment', partnerPaymentId)
  return { txId: null, partnerPaymentId, partnerCost }
}

const evidenceTaken = (what: string, id: string) => new ApiError(409, 'evidence_taken', `${what} ${id} has paid something else`)
