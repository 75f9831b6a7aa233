import { post, tokenAsset } from '../ledger/post.ts'
import type { Db, Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { outboxDone } from '../platform/outbox.ts'

/** A payment that names no deposit, as somebody must be told of it. */
export interface SuspensePayment {
  chain: string
  token: string
  /** Base units. */
  amount: string
  txId: string
  memo: string | null
  memoType: string | null
}

/**
 * Brings the books up to what the chain says of a payment that names no deposit: while it is confirmed the platform owes it to
 * somebody whom it does not know. Harmless to repeat.
 * @returns the payment and what changed; null where nothing did
 */
export async function settleSuspense(
  ctx: { db: Db },
  job: { detectionId: string; outboxId: string },
): Promise<{ payment: SuspensePayment; change: 'credited' | 'reverted' } | null> {
  const settled = await ctx.db.tx(async (tx) => {
    const change = await settle(tx, job.detectionId)
    await outboxDone(tx, job.outboxId)
    return change
  })
  failpoint('suspense.settled')
  return settled
}

async function settle(tx: Tx, detectionId: string): Promise<{ payment: SuspensePayment; change: 'credited' | 'reverted' } | null> {
  await tx.query('insert into suspense_payments (detection_id, posted) values ($1, false) on conflict do nothing', [detectionId])
  const [row] = await tx.query<SuspensePayment & { posted: boolean; confirmed: boolean }>(
    `select t.chain, t.token, t.amount, t.tx_id as "txId", t.memo, t.memo_type as "memoType", s.posted, d.status = 'confirmed' as confirmed
     from suspense_payments s join detections d on d.id = s.detection_id join transfers t on t.id = d.transfer_id
     where s.detection_id = $1 and d.business_id is null for update of s`,
    [detectionId],
  )
  if (!row || row.posted === row.confirmed) return null
  const { posted: _, confirmed, ...payment } = row
  const change = confirmed ? 'credited' : 'reverted'
  const amount = confirmed ? BigInt(payment.amount) : -BigInt(payment.amount)
  const asset = tokenAsset(payment.chain, payment.token)
  await tx.query('update suspense_payments set posted = $2, updated_at = now() where detection_id = $1', [detectionId, confirmed])
  await post(tx, { kind: `suspense.${change}`, businessId: null, reference: detectionId }, [
    { account: { name: `deposits:${payment.chain}`, businessId: null, asset }, amount },
    { account: { name: 'suspense', businessId: null, asset }, amount: -amount },
  ])
  return { payment, change }
}
