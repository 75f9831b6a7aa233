import { type NewEvent, recordEvents } from '../events/recordEvents.ts'
import { post } from '../ledger/post.ts'
import { transactionEvent } from '../monitoring/transactionEvent.ts'
import type { PayoutSkipped } from '../payouts/planAutomatic.ts'
import type { Db, Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { outboxDone } from '../platform/outbox.ts'
import { prepared } from '../platform/prepared.ts'
import { isStillAccepted } from './accepted.ts'
import { type AutomaticPayoutContext, automaticPayout, lockAutomatic } from './automaticPayout.ts'
import { entriesOfMoves } from './bookMoves.ts'
import { paymentAddress } from './paymentUri.ts'
import { chainOf, decimalsOf, type PresentContext, presentPayment, presentSession, type SessionView } from './present.ts'
import { readHeights } from './readHeights.ts'
import { type PaymentRecord, readPayments } from './readPayments.ts'
import { readRefunds } from './readRefunds.ts'
import { markReported } from './reportRefunds.ts'
import { sessionEvent } from './sessionEvent.ts'
import { isPaid, type Settled, type SettledEvent, settle } from './settle.ts'
import { lockSession, type StoredSession, saveSettled } from './storedSession.ts'

export interface SettleContext extends AutomaticPayoutContext {
  db: Db
}

/**
 * Updates a session from the chain in one transaction: state, payments, postings, automatic payout, events and the outbox row. Idempotent.
 * @returns the events that were recorded
 */
export async function settleSession(ctx: SettleContext, job: { sessionId: string; outboxId: string }): Promise<SettledEvent[]> {
  const events = await ctx.db.tx(async (tx) => {
    const session = await lockSession(tx, job.sessionId)
    const settled = session ? (await settleLocked(ctx, tx, session)).events : []
    await outboxDone(tx, job.outboxId)
    return settled
  })
  failpoint('session-payment.settled')
  return events
}

const selectClock = prepared('select confirmed_time as "confirmedTime" from chain_cursors where chain = $1')

/** Settles a session that the caller has locked, in the caller's transaction. */
export async function settleLocked(
  ctx: AutomaticPayoutContext,
  tx: Tx,
  session: StoredSession,
): Promise<{ events: SettledEvent[]; view: SessionView }> {
  // Read the clock first: then all blocks up to it are among the payments.
  const [cursor] = await tx.query<{ confirmedTime: Date | null }>(selectClock, [session.chain])
  const [payments, automatic] = [await readPayments(tx, [session.id]), await lockAutomatic(tx, session.id)]
  const settled = settle(
    {
      status: session.status,
      chain: session.chain,
      token: session.token,
      amountExpected: BigInt(session.amountExpected),
      amountSettled: BigInt(session.amountSettled),
      isAccepted: isStillAccepted(ctx, session, payments),
      expiresAt: session.expiresAt,
    },
    payments,
    cursor?.confirmedTime ?? null,
    automatic?.status === 'completed' ? 'completed' : 'none',
  )
  // Outflows are locked before balances, as by their own worker.
  const refunds = await readRefunds(tx, [session.id])
  const arrived = await markReported(tx, refunds)
  const moves = await entriesOfMoves(tx, session.businessId, settled)
  const payout = await automaticPayout(ctx, tx, session, { settled, payments, automatic, moves })
  await post(tx, payout.entries)
  await store(tx, session, settled, new Set(moves.map(({ cause }) => cause.id)), payout.skipped)
  const context = { chains: ctx.chains, heights: await readHeights(tx) }
  const view = presentSession(session, payments, context, refunds)
  recordEvents(tx, session.businessId, [
    ...settled.events.map((event) => toEvent(session, view, event, context)),
    ...arrived.flatMap((id) => view.refunds.filter((refund) => refund.id === id)).map((refund) => sessionEvent('session.refunded', view, { refund })),
  ])
  await payout.record()
  return { events: settled.events, view }
}

const storePayments = prepared(
  `insert into session_payments (detection_id, session_id, generation, status, exception, posted, entries)
   select id, $1, generation, status, exception, posted, entries
   from unnest($2::uuid[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::integer[]) as p(id, generation, status, exception, posted, entries)
   on conflict (detection_id) do update set generation = excluded.generation, status = excluded.status,
     exception = excluded.exception, posted = excluded.posted, entries = session_payments.entries + excluded.entries`,
)

/** @param booked the payments that got an entry */
async function store(tx: Tx, session: StoredSession, settled: Settled, booked: ReadonlySet<string>, skipped: PayoutSkipped | null): Promise<void> {
  session.paidAt = isPaid(settled.status) ? (session.paidAt ?? new Date()) : null
  if (session.status !== settled.status || skipped !== null) session.payoutSkipped = isPaid(settled.status) ? skipped : null
  session.status = settled.status
  session.exception = settled.exception
  session.amountReceived = settled.amountReceived.toString()
  session.amountSettled = settled.amountSettled.toString()
  await saveSettled(tx, session)
  // A session that is pending again, or whose expiry was requested too early, needs a new request when its time is over.
  if (settled.status === 'pending' && !settled.timeOver) {
    await tx.query('update pos_sessions set expiry_asked_at = null where id = $1 and expiry_asked_at is not null', [session.id])
  }
  if (settled.payments.length === 0) return
  await tx.query(storePayments, [
    session.id,
    settled.payments.map((p) => p.detectionId),
    settled.payments.map((p) => p.generation),
    settled.payments.map((p) => p.status),
    settled.payments.map((p) => p.exception),
    settled.payments.map((p) => p.posted),
    settled.payments.map((p) => (booked.has(p.detectionId) ? 1 : 0)),
  ])
}

function toEvent(session: StoredSession, view: SessionView, event: SettledEvent, context: PresentContext): NewEvent {
  if (!('payment' in event)) return sessionEvent(event.type, view)
  const payment = event.payment as PaymentRecord
  const shown = presentPayment(session, payment, context)
  if (event.type === 'session.late') return sessionEvent(event.type, view, { payment: shown })
  const chain = chainOf(context, payment.chain)
  const movement = { ...payment, direction: 'in' as const, symbol: payment.token, decimals: decimalsOf(context, payment.chain, payment.token) }
  return transactionEvent(event.type, chain, paymentAddress(chain.family, payment.to).address, movement, {
    exception: shown.exception,
    sessionId: session.id,
    reference: session.reference,
  })
}
