import { type Account, accountKey, platformAccount } from '../ledger/account.ts'
import { type EntryOf, tokenAsset } from '../ledger/entry.ts'
import { type LockedAccounts, lockedFor } from '../ledger/lockedAccounts.ts'
import { post, sendEntries } from '../ledger/post.ts'
import { type Held, heldFor, rebook } from '../ledger/rebook.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { outboxDone } from '../platform/database/outbox.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isOfStaking } from './assignSuspense.ts'
import { accountOfOwner, type Owner } from './suspenseOwner.ts'

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
 * Updates the ledger for a payment that names no deposit: while it is confirmed, the platform owes it to an
 * unknown owner, or to the business that it was given to; or it is the operator's. Idempotent.
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

async function settle(
  tx: Tx,
  detectionId: string,
): Promise<{ payment: SuspensePayment; change: 'credited' | 'reverted' } | null> {
  if (await isStake(tx, detectionId)) return null
  await tx.query(
    'insert into suspense_payments (detection_id, posted) values ($1, false) on conflict do nothing',
    [detectionId],
  )
  // Lock in a separate statement: the next one then reads the latest state.
  const [counted] = await tx.query<Owner & { entries: number }>(
    'select entries, business_id as "businessId", account from suspense_payments where detection_id = $1 for update',
    [detectionId],
  )
  const [row] = await tx.query<SuspensePayment & { confirmed: boolean; place: 'staking' | 'deposits' }>(
    `select t.chain, t.token, t.amount, t.tx_id as "txId", t.memo, t.memo_type as "memoType", d.status = 'confirmed' as confirmed,
       case when ${isOfStaking} then 'staking' else 'deposits' end as place
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
  const of: EntryOf = {
    kind: `suspense.${change}`,
    businessId,
    cause: { kind: 'suspense_payment', id: detectionId },
    step,
  }
  const holder = platformAccount(`${place}:${payment.chain}`, asset)
  const funded = counted.account === 'rewards' ? await rewardsFunded(tx, of, { stays, asset, holder }) : null
  const wanted =
    funded?.wanted ?? (stays === 0n ? [] : [{ account: accountOfOwner(counted, asset), amount: stays }])
  const entry = await rebook(tx, of, wanted, (each) => ({ ...holder, asset: each }))
  if (!entry) return null
  if (funded) sendEntries(tx, [entry], funded.locked)
  else await post(tx, [entry])
  await tx.query(
    'update suspense_payments set posted = $2, entries = $3, updated_at = now() where detection_id = $1',
    [detectionId, confirmed, step],
  )
  return { payment, change }
}

/**
 * What a payment for rewards is booked as, with its accounts locked. The account of rewards is never
 * negative: what stakes have been paid from it already, a fork takes from the operator's capital.
 */
async function rewardsFunded(
  tx: Tx,
  entry: EntryOf,
  { stays, asset, holder }: { stays: bigint; asset: string; holder: Account },
): Promise<{ wanted: Held[]; locked: LockedAccounts }> {
  const [rewards, capital] = [platformAccount('rewards', asset), platformAccount('capital', asset)]
  const locked = await lockedFor(tx, [], [rewards, capital, holder])
  const booked = (await heldFor(tx, entry)).find(({ account }) => account.name === 'rewards')?.amount ?? 0n
  const short = booked - stays - (locked.get(accountKey(rewards))?.balance ?? 0n)
  const kept = short > 0n ? short : 0n
  const wanted = [
    { account: rewards, amount: stays + kept },
    { account: capital, amount: -kept },
  ]
  return { wanted: wanted.filter(({ amount }) => amount !== 0n), locked }
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

/**
 * Base units that went back to a sender. Where a fork takes the payment away after that, suspense is owed
 * them.
 */
async function sentBack(tx: Tx, detectionId: string): Promise<bigint> {
  const [row] = await tx.query<{ amount: string }>(
    "select coalesce(sum(amount), 0)::text as amount from outflows where kind = 'suspense' and payment_id = $1 and status = 'completed'",
    [detectionId],
  )
  return BigInt(row?.amount ?? 0)
}
