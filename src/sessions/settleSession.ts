import { type NewEvent, recordEvents } from '../events/recordEvents.ts'
import { sendEntries } from '../ledger/post.ts'
import { transactionEvent } from '../monitoring/transactionEvent.ts'
import { readExcessHold } from '../payouts/excessHold.ts'
import type { PayoutSkipped } from '../payouts/planAutomatic.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { outboxDone } from '../platform/database/outbox.ts'
import { prepared } from '../platform/database/prepared.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isStillAccepted } from './accepted.ts'
import { type AutomaticPayoutContext, automaticPayout } from './automaticPayout.ts'
import { entriesOfMoves } from './bookMoves.ts'
import { excessAbove, heldUntil } from './excess.ts'
import { paymentAddress } from './paymentUri.ts'
import {
  chainOf,
  decimalsOf,
  type PresentContext,
  presentPayment,
  presentSession,
  type SessionView,
} from './present.ts'
import type { PaymentRecord } from './readPayments.ts'
import { givenBack } from './readRefunds.ts'
import { readToSettle, type ToSettle } from './readToSettle.ts'
import { markReported } from './reportRefunds.ts'
import { cancelReversed } from './reversedRefunds.ts'
import { sessionEvent } from './sessionEvent.ts'
import { isPaid, type Settled, type SettledEvent, settle } from './settle.ts'
import { lockSession, type StoredSession, saveSettled } from './storedSession.ts'
import { minAmountOf } from './tolerated.ts'

export interface SettleContext extends AutomaticPayoutContext {
  db: Db
}

/**
 * Updates a session from the chain in one transaction: state, payments, postings, automatic payout, events
 * and the outbox row. Idempotent. It takes a message to the database for what is read, one for the lock of
 * the balances that change, one to make a payout, and one for the rest with the commit.
 * @returns the events that were recorded
 */
export async function settleSession(
  ctx: SettleContext,
  job: { sessionId: string; outboxId: string },
): Promise<SettledEvent[]> {
  const events = await ctx.db.tx(async (tx) => {
    const [session, known] = await Promise.all([
      lockSession(tx, job.sessionId),
      readToSettle(tx, job.sessionId),
    ])
    const settled = session ? (await settleKnown(ctx, tx, session, known)).events : []
    await outboxDone(tx, job.outboxId)
    return settled
  })
  failpoint('session-payment.settled')
  return events
}

interface Outcome {
  events: SettledEvent[]
  view: SessionView
}

/** Settles a session that the caller has locked, in the caller's transaction. */
export const settleLocked = async (
  ctx: AutomaticPayoutContext,
  tx: Tx,
  session: StoredSession,
): Promise<Outcome> => settleKnown(ctx, tx, session, await readToSettle(tx, session.id))

async function settleKnown(
  ctx: AutomaticPayoutContext,
  tx: Tx,
  session: StoredSession,
  known: ToSettle,
): Promise<Outcome> {
  const { payments } = known
  // Outflows are locked before balances, as by their own worker.
  const arrived = await markReported(tx, known.refunds)
  const {
    entries: released,
    events: cancelled,
    refunds,
  } = await cancelReversed(ctx, tx, BigInt(session.amountExpected), payments, known.refunds)
  const settled = settle(
    {
      status: session.status,
      chain: session.chain,
      token: session.token,
      amountExpected: BigInt(session.amountExpected),
      minAmount: minAmountOf(session),
      amountSettled: BigInt(session.amountSettled),
      excessAbove: excessAbove(session, givenBack(session, refunds)),
      isAccepted: isStillAccepted(ctx, session, payments),
      expiresAt: session.expiresAt,
    },
    payments,
    known.confirmedTime,
    known.automatic?.status === 'completed' ? 'completed' : 'none',
  )
  const booked = await entriesOfMoves(tx, session.businessId, settled)
  const moves = [...released, ...booked]
  const payout = await automaticPayout(ctx, tx, session, { ...known, refunds }, { settled, moves })
  change(session, settled, payout.skipped, settled.excess > 0n ? await holdDays(ctx, tx, session) : 0)
  const context = { ...ctx, heights: known.heights }
  const view = presentSession(session, payments, context, refunds)
  const events = [
    ...settled.events.map((event) => toEvent(session, view, event, context)),
    ...arrived
      .flatMap((id) => view.refunds.filter((refund) => refund.id === id))
      .map((refund) => sessionEvent('session.refunded', view, { refund })),
    ...cancelled,
    ...payout.events,
  ]
  // All that is written goes with the commit. The events are last: until then, all events of the business
  // wait for their numbers.
  sendEntries(tx, payout.entries, payout.locked)
  store(tx, session, settled, new Set(booked.map(({ cause }) => cause.id)))
  recordEvents(tx, session.businessId, events)
  return { events: settled.events, view }
}

const storePayments = prepared(
  `insert into session_payments (detection_id, session_id, generation, status, exception, posted, held, entries)
   select id, $1, generation, status, exception, posted, held, entries
   from unnest($2::uuid[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::numeric[])
     as p(id, generation, status, exception, posted, entries, held)
   on conflict (detection_id) do update set generation = excluded.generation, status = excluded.status,
     exception = excluded.exception, posted = excluded.posted, held = excluded.held, entries = session_payments.entries + excluded.entries`,
)

/** How long an excess is held from now on: as the business has set it, or the deployment. */
const holdDays = async (
  ctx: { excessHoldDays: number },
  tx: Tx,
  { businessId }: StoredSession,
): Promise<number> => (await readExcessHold(tx, businessId)).days ?? ctx.excessHoldDays

function change(session: StoredSession, settled: Settled, skipped: PayoutSkipped | null, days: number): void {
  session.heldUntil = heldUntil(session, settled, days)
  session.amountHeld = settled.excess.toString()
  session.paidAt = isPaid(settled.status) ? (session.paidAt ?? new Date()) : null
  if (session.status !== settled.status || skipped !== null)
    session.payoutSkipped = isPaid(settled.status) ? skipped : null
  session.status = settled.status
  session.exception = settled.exception
  session.amountReceived = settled.amountReceived.toString()
  session.amountSettled = settled.amountSettled.toString()
}

/** @param booked the payments that got an entry */
function store(tx: Tx, session: StoredSession, settled: Settled, booked: ReadonlySet<string>): void {
  // A session that is pending again, or whose expiry was requested too early, needs a new request when its
  // time is over.
  saveSettled(tx, session, settled.status === 'pending' && !settled.timeOver)
  if (settled.payments.length === 0) return
  tx.send(storePayments, [
    session.id,
    settled.payments.map((p) => p.detectionId),
    settled.payments.map((p) => p.generation),
    settled.payments.map((p) => p.status),
    settled.payments.map((p) => p.exception),
    settled.payments.map((p) => p.posted),
    settled.payments.map((p) => (booked.has(p.detectionId) ? 1 : 0)),
    settled.payments.map((p) => p.held.toString()),
  ])
}

function toEvent(
  session: StoredSession,
  view: SessionView,
  event: SettledEvent,
  context: PresentContext,
): NewEvent {
  if (!('payment' in event)) return sessionEvent(event.type, view)
  const payment = event.payment as PaymentRecord
  const shown = presentPayment(session, payment, context)
  if (event.type === 'session.late') return sessionEvent(event.type, view, { payment: shown })
  const chain = chainOf(context, payment.chain)
  const movement = {
    ...payment,
    direction: 'in' as const,
    symbol: payment.token,
    decimals: decimalsOf(context, payment.chain, payment.token),
  }
  return transactionEvent(event.type, chain, paymentAddress(chain.family, payment.to).address, movement, {
    exception: shown.exception,
    sessionId: session.id,
    reference: session.reference,
  })
}
