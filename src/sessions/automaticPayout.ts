import type { Chain } from '../chains/registry.ts'
import { availableAfter } from '../ledger/availableAfter.ts'
import { type Entry, tokenAsset } from '../ledger/entry.ts'
import { changeOutflow } from '../payouts/moveOutflow.ts'
import { type Outflow, readOutflows } from '../payouts/outflow.ts'
import { type PayoutSkipped, planAutomatic, readTarget } from '../payouts/planAutomatic.ts'
import { type PayoutEventContext, recordPayoutEvents } from '../payouts/recordPayoutEvents.ts'
import { type OutflowMaker, storeOutflow } from '../payouts/storeOutflow.ts'
import type { Tx } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { plain } from './present.ts'
import type { Payment, Settled } from './settle.ts'
import type { StoredSession } from './storedSession.ts'

export interface AutomaticPayoutContext extends PayoutEventContext {
  chains: readonly Chain[]
  log: Log
  maker: OutflowMaker
}

/** The automatic payout of a session that is not failed or cancelled, locked until the transaction ends; null without one. */
export async function lockAutomatic(tx: Tx, sessionId: string): Promise<Outflow | null> {
  const [outflow] = await readOutflows(tx, "session_id = $1 and automatic and status not in ('failed', 'cancelled') for update", [sessionId])
  return outflow ?? null
}

/** What a session's new state means for its automatic payout. */
export interface PayoutChange {
  /** Every entry to post, in order. */
  entries: Entry[]
  /** Null: there is one, or autopayout is off, or nothing began. */
  skipped: PayoutSkipped | null
  /** Records its events, after those of the session. */
  record(): Promise<void>
}

/**
 * Makes a payout when a session becomes paid, and cancels it when a fork takes away what it was made of, while nothing has left. One that may have left
 * goes on: what is missing is owed by the business then.
 * @param before the state as stored
 * @param moves the entries of the session's payments
 */
export async function automaticPayout(
  ctx: AutomaticPayoutContext,
  tx: Tx,
  before: StoredSession,
  { settled, payments, automatic, moves }: { settled: Settled; payments: readonly Payment[]; automatic: Outflow | null; moves: readonly Entry[] },
): Promise<PayoutChange> {
  const amount = payableOf(before, settled, payments)
  const isPaid = settled.status === 'paid'
  const stop = automatic !== null && isStoppable(automatic) && (!isPaid || amount < automatic.amount)
  const changes: [Outflow | null, Outflow][] = []
  const entries: Entry[] = []
  if (stop) {
    const cancelled = await changeOutflow(tx, automatic, { status: 'cancelled', reason: isPaid ? 'payment_reversed' : 'session_reversed' })
    changes.push([automatic, cancelled.after])
    entries.push(...cancelled.entries)
  }
  entries.push(...moves)
  const begins = isPaid && (stop || (automatic === null && before.status !== 'paid'))
  const begun = begins ? await begin(ctx, tx, before, amount, entries) : null
  if (begun !== null && typeof begun !== 'string') {
    changes.push([null, begun.outflow])
    entries.push(...begun.entries)
  }
  return {
    entries,
    skipped: typeof begun === 'string' ? begun : null,
    async record() {
      for (const [was, is] of changes) await recordPayoutEvents(ctx, tx, was, is)
    },
  }
}

const isStoppable = ({ status }: Outflow) => status === 'pending' || status === 'awaiting_approval'

/**
 * What a session's payout may take: the money that it was paid with. A session that is paid by less was accepted by a person, with all that came in its
 * token.
 */
export function payableOf(
  { chain, token, amountExpected }: Pick<StoredSession, 'chain' | 'token' | 'amountExpected'>,
  { amountSettled }: Pick<Settled, 'amountSettled'>,
  payments: readonly Payment[],
): bigint {
  if (amountSettled >= BigInt(amountExpected)) return amountSettled
  return payments.reduce((sum, each) => sum + (each.status === 'confirmed' && each.chain === chain && each.token === token ? each.amount : 0n), 0n)
}

async function begin(ctx: AutomaticPayoutContext, tx: Tx, session: StoredSession, payable: bigint, entries: readonly Entry[]) {
  const target = await readTarget(tx, session)
  if (!target) return null
  const { id, businessId, chain, token, localCurrency, rateAt, rateSource, feeCurrency } = session
  // A debt is paid first: what is left of the money may be less.
  const available = await availableAfter(tx, entries, { businessId, asset: tokenAsset(chain, token) })
  const left = payable - (await refundedOf(tx, session))
  const planned = planAutomatic(
    ctx,
    {
      ...{ id, businessId, chain, token, localCurrency, rateAt, rateSource, feeCurrency },
      amountExpected: BigInt(session.amountExpected),
      rate: session.rate && plain(session.rate),
      fxMarginPercent: plain(session.fxMarginPercent),
      fee: plain(session.fee),
    },
    target,
    smallerOf(available, left),
  )
  if (typeof planned !== 'string') return storeOutflow(ctx.maker, tx, planned)
  ctx.log.warn({ sessionId: id, businessId, reason: planned }, 'a session was paid and has no automatic payout')
  return planned
}

const smallerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** What went back, or goes back, to the customer in the session's token. */
async function refundedOf(tx: Tx, { id, businessId, chain, token }: StoredSession): Promise<bigint> {
  const [row] = await tx.query<{ amount: string }>(
    `select coalesce(sum(amount), 0)::text as amount from outflows
     where session_id = $1 and business_id = $2 and kind = 'refund' and chain = $3 and token = $4 and status not in ('failed', 'cancelled')`,
    [id, businessId, chain, token],
  )
  return BigInt(row?.amount ?? 0)
}
