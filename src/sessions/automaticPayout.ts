import type { Chain } from '../chains/registry.ts'
import { findDestination } from '../destinations/getDestination.ts'
import type { NewEvent } from '../events/recordEvents.ts'
import { availableAfter } from '../ledger/availableAfter.ts'
import { type Entry, tokenAsset } from '../ledger/entry.ts'
import { type LockedAccounts, lockedFor } from '../ledger/lockedAccounts.ts'
import { mayRelease } from '../outflows/ends/mayRelease.ts'
import { changeOutflow } from '../outflows/moveOutflow.ts'
import type { Outflow } from '../outflows/outflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import { type OutflowMaker, storeOutflow } from '../outflows/storeOutflow.ts'
import { payoutCreated } from '../payouts/payoutEvents.ts'
import { type AutopayoutTarget, type PayoutSkipped, planAutomatic } from '../payouts/planAutomatic.ts'
import { presentPayout } from '../payouts/presentPayout.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { plain } from './present.ts'
import { givenBack } from './readRefunds.ts'
import type { ToSettle } from './readToSettle.ts'
import type { Payment, Settled } from './settle.ts'
import type { StoredSession } from './storedSession.ts'
import { minAmountOf } from './tolerated.ts'

export interface AutomaticPayoutContext extends OutflowEventContext {
  appKey: Secret
  chains: readonly Chain[]
  checkoutUrl: CheckoutUrl
  log: Log
  maker: OutflowMaker
  /** How long an excess stays `pending`. */
  excessHoldDays: number
}

/** What a session's new state means for its automatic payout. */
export interface PayoutChange {
  /** Every entry to post, in order. */
  entries: Entry[]
  /** Their accounts. */
  locked: LockedAccounts
  /** Null: there is one, or autopayout is off, or nothing started. */
  skipped: PayoutSkipped | null
  /** Its events, which come after those of the session. */
  events: NewEvent[]
}

/**
 * Makes a payout when a session becomes paid, and cancels it when a fork takes away what it was made of,
 * while nothing has left. One that may have left goes on: what is missing is owed by the business then.
 * @param before the state as stored
 * @param known what the new state was decided by
 * @param moves the entries of the session's payments
 */
export async function automaticPayout(
  ctx: AutomaticPayoutContext,
  tx: Tx,
  before: StoredSession,
  { payments, automatic, refunds, target }: Pick<ToSettle, 'payments' | 'automatic' | 'refunds' | 'target'>,
  { settled, moves }: { settled: Settled; moves: readonly Entry[] },
): Promise<PayoutChange> {
  const there = paidWith(before, settled, payments)
  const isPaid = settled.status === 'paid'
  const isReversed = automatic !== null && isStoppable(automatic) && (!isPaid || there < automatic.amount)
  const stop = isReversed && (await mayRelease(tx, automatic))
  if (automatic !== null && automatic.releaseWaits !== (isReversed && !stop))
    await setReleaseWaits(tx, automatic, isReversed && !stop)
  const cancelled = stop
    ? await cancel(ctx, tx, automatic, isPaid ? 'payment_reversed' : 'session_reversed')
    : nothing
  const entries = [...cancelled.entries, ...moves]
  const begins = isPaid && (stop || (automatic === null && before.status !== 'paid'))
  if (!begins || !target)
    return { entries, locked: await lockedFor(tx, entries), skipped: null, events: cancelled.events }

  const { businessId, chain, token } = before
  const own = { businessId, asset: tokenAsset(chain, token) }
  const locked = await lockedFor(tx, entries, [
    { name: 'available', ...own },
    { name: 'payouts_held', ...own },
  ])
  const payable = payableOf(before, settled, there, givenBack(before, refunds))
  // A debt is paid first: what is left of the money may be less.
  const isPaidInTime = settled.amountSettled >= minAmountOf(before)
  const begun = await begin(
    ctx,
    tx,
    { ...before, isPaidInTime },
    target,
    smallerOf(availableAfter(locked, entries, own), payable),
  )
  if (typeof begun === 'string') return { entries, locked, skipped: begun, events: cancelled.events }
  return {
    entries: [...entries, ...begun.entries],
    locked,
    skipped: null,
    events: [...cancelled.events, ...begun.events],
  }
}

const nothing: { entries: Entry[]; events: NewEvent[] } = { entries: [], events: [] }

async function cancel(
  ctx: AutomaticPayoutContext,
  tx: Tx,
  outflow: Outflow,
  reason: string,
): Promise<typeof nothing> {
  const { after, entries } = await changeOutflow(tx, outflow, {
    status: 'cancelled',
    release: 'payment_reversed',
    reason,
  })
  return { entries, events: await ctx.outflowEvents.changed(tx, outflow, after) }
}

/**
 * What could not be given back while the database was restored waits for it. A worker that has claimed it
 * finds it changed.
 */
const setReleaseWaits = (tx: Tx, { id }: Outflow, waits: boolean) =>
  tx.query('update outflows set release_waits = $2, next_at = now() where id = $1', [id, waits])

const isStoppable = ({ status }: Outflow) => status === 'pending' || status === 'awaiting_approval'

/**
 * The money that a session was paid with. A session that is paid by less than what is tolerated was accepted
 * by a person, with all that came in its token.
 */
export function paidWith(
  session: Pick<StoredSession, 'chain' | 'token' | 'amountExpected' | 'amountTolerated'>,
  { amountSettled }: Pick<Settled, 'amountSettled'>,
  payments: readonly Payment[],
): bigint {
  if (amountSettled >= minAmountOf(session)) return amountSettled
  const { chain, token } = session
  return payments.reduce(
    (sum, each) =>
      sum + (each.status === 'confirmed' && each.chain === chain && each.token === token ? each.amount : 0n),
    0n,
  )
}

/**
 * The maximum of a session's payout: the requested amount, less what is missing of it and tolerated, or what a
 * person accepted in its place. An excess
 * is not paid out by itself, whether it is held or was accepted: the session's rate and fee are for what was
 * requested.
 * @param refunded went back to the customer, out of the excess first
 */
export function payableOf(
  session: Pick<StoredSession, 'amountExpected' | 'amountTolerated'>,
  { amountSettled }: Pick<Settled, 'amountSettled'>,
  there: bigint,
  refunded: bigint,
): bigint {
  const rest = there - refunded
  return amountSettled >= minAmountOf(session) ? smallerOf(BigInt(session.amountExpected), rest) : rest
}

/** @param amount base units that it may take */
async function begin(
  ctx: AutomaticPayoutContext,
  tx: Tx,
  session: StoredSession & { isPaidInTime: boolean },
  target: AutopayoutTarget,
  amount: bigint,
): Promise<typeof nothing | PayoutSkipped> {
  const { id, businessId, chain, token, localCurrency, rateAt, rateSource, feeCurrency, isPaidInTime } =
    session
  const planned = planAutomatic(
    ctx,
    {
      id,
      businessId,
      chain,
      token,
      localCurrency,
      rateAt,
      rateSource,
      feeCurrency,
      isPaidInTime,
      amountExpected: BigInt(session.amountExpected),
      rate: session.rate && plain(session.rate),
      fxMarginPercent: plain(session.fxMarginPercent),
      fee: plain(session.fee),
    },
    target,
    amount,
  )
  if (typeof planned === 'string') {
    ctx.log.warn(
      { sessionId: id, businessId, reason: planned },
      'a session was paid and has no automatic payout',
    )
    return planned
  }
  const [{ outflow, entries }, destination] = await Promise.all([
    storeOutflow(ctx.maker, tx, planned),
    findDestination(tx, businessId, target.destinationId),
  ])
  return {
    entries,
    events: [payoutCreated(presentPayout(ctx, outflow, { destination, approval: null, sent: null }))],
  }
}

const smallerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other)
