import type { Entry } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../platform/database/db.ts'
import { enqueue } from '../platform/database/outbox.ts'
import { requireRelease } from './ends/mayRelease.ts'
import type { Release } from './ends/waysToEnd.ts'
import { nextStatuses } from './nextStatuses.ts'
import type { HandEnd, Outflow, OutflowStatus, StoredPrice } from './outflow.ts'
import { readStored } from './outflow.ts'
import { cameBack, givenBack, hasLeft, returnedByBank } from './outflowEntries.ts'
import type { OutflowEventContext } from './outflowEvents.ts'
import { recordStatusEvents } from './recordOutflowEvents.ts'

/** What changes. A state that gives the money back names its way, which `mayRelease` decides. */
export type OutflowChange = Facts &
  (
    | { status?: Exclude<OutflowStatus, 'failed' | 'cancelled'>; release?: undefined }
    | { status: 'failed' | 'cancelled'; release: Release }
  )

/** What changes with a state, or without one. */
interface Facts {
  /** A stable code, if any. */
  reason?: string | null
  intentId?: string | null
  tries?: number
  submittedAt?: Date | null
  absentSince?: Date | null
  partnerPaymentId?: string | null
  partnerStatus?: string | null
  partnerCost?: bigint | null
  partnerReturned?: bigint
  outcomeLostAt?: Date
  paidElsewhere?: string | null
  /** An operator ends it: it is followed all the same. */
  byHand?: HandEnd
  contradictedAt?: Date
  /** A price that was found later, with the parts that the platform keeps, and its proof (`provePrice`). */
  priced?: {
    price: StoredPrice
    fee: bigint
    margin: bigint
    rounding: bigint
    by: 'api' | 'worker'
    proof: Buffer
  }
  /** The local amount of its price that was agreed to. */
  agreedAmount?: bigint
  /** Until a worker steps it again; null: never. Required with a state that is no end. */
  nextInMs?: number | null
}

/**
 * Changes a locked outflow, together with `changeOutflow` the only writer of its state. Posts what its end
 * means for the books, records its events, and lets its session be settled again.
 * @throws RestoreUnsettledError for money that must not be given back now; Error for a state that does not follow,
 * and for one that an operator has ended
 */
export async function moveOutflow(
  ctx: OutflowEventContext,
  tx: Tx,
  before: Outflow,
  change: OutflowChange,
): Promise<Outflow> {
  const { after, entries } = await changeOutflow(tx, before, change)
  if (after.status === before.status) return after
  await post(tx, entries)
  await recordStatusEvents(ctx, tx, before, after)
  const isEnd = after.status === 'completed' || isOver(after.status)
  if (after.sessionId !== null && isEnd)
    await enqueue(tx, 'session-payment', [{ sessionId: after.sessionId, reason: 'outflow' }])
  return after
}

/**
 * The change alone, for a transaction that posts its entries with others and records its events.
 * @throws Error as `moveOutflow`
 */
export async function changeOutflow(
  tx: Tx,
  before: Outflow,
  change: OutflowChange,
): Promise<{ after: Outflow; entries: Entry[] }> {
  const { status = before.status } = change
  const isMove = status !== before.status
  if (isMove && before.byHand !== null)
    throw new Error(`outflow ${before.id} was ended by hand: it stays ${before.status}`)
  if (isMove && !nextStatuses[before.status].includes(status))
    throw new Error(`outflow ${before.id} does not become ${status} from ${before.status}`)
  if (isMove && change.release !== undefined) await requireRelease(tx, before, status, change.release)
  const after = await store(tx, before, change)
  return { after, entries: isMove ? await entriesOf(tx, before, after) : [] }
}

async function entriesOf(tx: Tx, before: Outflow, after: Outflow): Promise<Entry[]> {
  if (after.status === 'completed') return hasLeft(tx, after)
  if (after.status === 'returned') return returnedByBank(after)
  if (before.status === 'completed') return cameBack(tx, after)
  return after.status === 'failed' || after.status === 'cancelled' ? givenBack(tx, after) : []
}

const isOver = (status: OutflowStatus) =>
  status === 'failed' || status === 'cancelled' || status === 'returned'

type Shown = 'reason' | 'partnerPaymentId' | 'partnerStatus' | 'paidElsewhere'
const shown: Readonly<Record<Shown, string>> = {
  reason: 'reason',
  partnerPaymentId: 'partner_payment_id',
  partnerStatus: 'partner_status',
  paidElsewhere: 'paid_elsewhere',
}
type Own =
  | 'intentId'
  | 'tries'
  | 'submittedAt'
  | 'absentSince'
  | 'partnerCost'
  | 'partnerReturned'
  | 'outcomeLostAt'
  | 'contradictedAt'
const own: Readonly<Record<Own, string>> = {
  intentId: 'intent_id',
  tries: 'tries',
  submittedAt: 'submitted_at',
  absentSince: 'absent_since',
  partnerCost: 'partner_cost',
  partnerReturned: 'partner_returned',
  outcomeLostAt: 'outcome_lost_at',
  contradictedAt: 'contradicted_at',
}

/** A returned one keeps the time of its completion. */
function timeOfEnd(status: OutflowStatus): [column: string, at: Date | null] {
  if (status === 'returned') return ['returned_at', new Date()]
  return ['completed_at', status === 'completed' ? new Date() : null]
}

/**
 * Only what a reader can see is a new revision: a read that finds nothing new must not outdate the revision
 * that a person approves.
 */
async function store(tx: Tx, before: Outflow, change: OutflowChange): Promise<Outflow> {
  const { id, status: was, revision } = before
  const { status = was, priced, byHand } = change
  const values: unknown[] = [id, revision]
  const sets: string[] = []
  const set = (column: string, value: unknown) =>
    sets.push(`${column} = $${values.push(typeof value === 'bigint' ? String(value) : value)}`)
  if (status !== was) {
    set('status', status)
    set(...timeOfEnd(status))
  }
  const seen = { ...change, ...(change.reason === undefined && status !== was && { reason: null }) }
  for (const name of Object.keys(shown) as Shown[])
    if (seen[name] !== undefined && seen[name] !== before[name]) set(shown[name], seen[name])
  if (byHand) {
    set('ended_by', byHand.by)
    set('evidence', byHand.evidence)
    set('ended_tx_id', byHand.txId)
  }
  if (priced) {
    const { price, by, proof, ...parts } = priced
    set('local_amount', price.localAmount)
    set('local_fee', price.localFee)
    set('rate', price.rate)
    set('rate_at', price.rateAt)
    set('rate_source', price.rateSource)
    set('priced_at', price.pricedAt)
    set('agreed_amount', price.agreedAmount)
    set('priced_by', by)
    set('price_proof', proof)
    for (const part of ['fee', 'margin', 'rounding'] as const) set(part, parts[part])
  }
  if (change.agreedAmount !== undefined) set('agreed_amount', change.agreedAmount)
  if (sets.length > 0) sets.push('revision = revision + 1', 'updated_at = now()')
  for (const name of Object.keys(own) as Own[]) if (change[name] !== undefined) set(own[name], change[name])
  const isFollowed = byHand !== undefined || before.byHand !== null
  if ((isOver(status) && !isFollowed) || change.nextInMs === null) sets.push('next_at = null')
  else if (change.nextInMs !== undefined)
    sets.push(`next_at = now() + $${values.push(change.nextInMs)} * interval '1 millisecond'`)
  if (sets.length === 0) return before
  const changed = await tx.query(
    `update outflows set ${sets.join(', ')} where id = $1 and revision = $2 returning id`,
    values,
  )
  if (changed.length === 0) throw new Error(`outflow ${id} was changed by another process: lock it first`)
  return readStored(tx, id)
}
