import type { Account } from '../ledger/account.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import { rebook } from '../ledger/rebook.ts'
import type { Db, Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { outboxDone } from '../platform/outbox.ts'

/** A payment that names no deposit, as reported to the operator. */
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
 * Updates the ledger for a payment that names no deposit: while it is confirmed, the platform owes it to an unknown owner, or to the business that it was
 * given to. Idempotent.
 * @returns the payment and the change; null if nothing changed
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
  if (await isStake(tx, detectionId)) return null
  await tx.query('insert into suspense_payments (detection_id, posted) values ($1, false) on conflict do nothing', [detectionId])
  // Lock in a separate statement: the next one then reads the latest state.
  const [counted] = await tx.query<{ entries: number; businessId: string | null }>(
    'select entries, business_id as "businessId" from suspense_payments where detection_id = $1 for update',
    [detectionId],
  )
  const [row] = await tx.query<SuspensePayment & { confirmed: boolean; place: 'staking' | 'deposits' }>(
    `select t.chain, t.token, t.amount, t.tx_id as "txId", t.memo, t.memo_type as "memoType", d.status = 'confirmed' as confirmed,
       case when exists (select 1 from staking_addresses a where a.address = t.to_address) then 'staking' else 'deposits' end as place
     from detections d join transfers t on t.id = d.transfer_id where d.id = $1 and d.business_id is null`,
    [detectionId],
  )
  if (!row || !counted) return null
  const { confirmed, place, ...payment } = row
  const change = confirmed ? 'credited' : 'reverted'
  const asset = tokenAsset(payment.chain, payment.token)
  const step = counted.entries + 1
  const { businessId } = counted
  const stays = (confirmed ? BigInt(payment.amount) : 0n) - (await sentBack(tx, detectionId))
  const owed: Account = businessId === null ? { name: 'suspense', businessId, asset } : { name: 'available', businessId, asset }
  const entry = await rebook(
    tx,
    { kind: `suspense.${change}`, businessId, cause: { kind: 'suspense_payment', id: detectionId }, step },
    stays === 0n ? [] : [{ account: owed, amount: stays }],
    (of) => ({ name: `${place}:${payment.chain}`, businessId: null, asset: of }),
  )
  if (!entry) return null
  await post(tx, [entry])
  await tx.query('update suspense_payments set posted = $2, entries = $3, updated_at = now() where detection_id = $1', [detectionId, confirmed, step])
  return { payment, change }
}

/** The transaction of a stake, which is stored before it is sent, announces what it brings. */
async function isStake(tx: Tx, detectionId: string): Promise<boolean> {
  const found = await tx.query(
    `select 1 from detections d join transfers t on t.id = d.transfer_id
       join intent_attempts a on a.tx_id = t.tx_id and a.chain = t.chain join intents i on i.id = a.intent_id
     where d.id = $1 and i.purpose = 'stake' limit 1`,
    [detectionId],
  )
  return found.length > 0
}

/** Base units that went back to a sender. Where a fork takes the payment away after that, suspense is owed them. */
async function sentBack(tx: Tx, detectionId: string): Promise<bigint> {
  const [row] = await tx.query<{ amount: string }>(
    "select coalesce(sum(amount), 0)::text as amount from outflows where kind = 'suspense' and payment_id = $1 and status = 'completed'",
    [detectionId],
  )
  return BigInt(row?.amount ?? 0)
}
