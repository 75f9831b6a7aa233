import { balanceOf } from '../../ledger/balance.ts'
import { dollars } from '../../ledger/entry.ts'
import { lockPartner } from '../../partnerPayments/lockPartner.ts'
import type { PartnerPayment, PaymentPartner } from '../../partnerPayments/partner.ts'
import type { Db, Queryable, Tx } from '../../platform/database/db.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { type Comparison, lastComparison, type Mismatch } from './lastComparison.ts'
import { mismatchesOf, type SentOutflow } from './mismatches.ts'
import { openAtPartner } from './openAtPartner.ts'
import { createPartnerFunds, type PartnerFunds } from './outflowPartner.ts'
import { unseenTopUps } from './unseenTopUps.ts'

export interface CompareContext {
  db: Db
  log: Log
  partner: { payments: Pick<PaymentPartner, 'name' | 'balances' | 'listPayments'> }
  signal: AbortSignal
}

const dayMs = 24 * 3_600_000
/**
 * Both lists are compared again for the last hour of the comparison before: clocks differ, and pages come
 * late.
 */
const overlapMs = 3_600_000
const perPage = 100
const maxPages = 10_000

/**
 * The daily comparison, for a loop: any number of workers may run it.
 * @param before what is done first: what banks have returned is booked, so that the comparison agrees
 */
export async function compareWhenDue(
  ctx: CompareContext,
  before: () => Promise<unknown> = async () => {},
): Promise<void> {
  const last = await lastComparison(ctx.db, ctx.partner.payments.name)
  if (last && Date.now() - last.at.getTime() < dayMs) return
  await before()
  const compared = await compareOutflows(ctx, 'due')
  if (!compared) return
  const facts = {
    partner: ctx.partner.payments.name,
    mismatches: compared.mismatches.slice(0, 10),
    found: compared.mismatches.length,
    drift: String(compared.drift),
  }
  if (isSound(compared)) ctx.log.info(facts, 'payouts agree with the list of the partner')
  else
    ctx.log.error(
      facts,
      'payouts do not agree with the partner: see docs/runbooks/partner-money-does-not-match.md',
    )
}

export const isSound = ({ mismatches, drift }: Pick<Comparison, 'mismatches' | 'drift'>): boolean =>
  mismatches.length === 0 && (drift ?? 0n) === 0n

/**
 * Compares every payment in the partner's list with a row here, every row that the partner has taken with
 * a payment of the list, and the partner's balance with the books.
 * @returns null where another process has just compared, or it was stopped
 * @throws PartnerError
 */
export async function compareOutflows(ctx: CompareContext, when: 'due' | 'now'): Promise<Comparison | null> {
  const { db } = ctx
  const { payments } = ctx.partner
  const [begun] = await db.query<{ until: Date; last: string | null; since: Date }>(
    `select now() as until, max(id)::text as last, coalesce(max(until), now() - interval '1 day') - $2 * interval '1 ms' as since
     from partner_comparisons where partner = $1`,
    [payments.name, overlapMs],
  )
  if (!begun) throw new Error('the database gives no time')
  const range = { since: begun.since, until: begun.until }
  const listed = await listAll(ctx, range)
  if (!listed) return null
  const funds = await createPartnerFunds(db, payments)()
  return db.tx(async (tx) => {
    await lockPartner(tx, payments.name)
    const [newer] = await tx.query('select 1 from partner_comparisons where partner = $1 and id > $2', [
      payments.name,
      begun.last ?? '0',
    ])
    if (newer && when === 'due') return null
    const rows = await sentOutflows(tx, payments.name, range, listed)
    const mismatches = mismatchesOf(listed, rows, {
      after: new Date(range.since.getTime() + overlapMs / 2),
      before: new Date(range.until.getTime() - overlapMs / 4),
    })
    const drift = await driftOf(tx, payments.name, funds)
    return store(tx, payments.name, range, {
      mismatches,
      drift,
      payments: listed.length,
      payouts: rows.length,
    })
  })
}

async function listAll(
  { partner, signal }: CompareContext,
  { since, until }: { since: Date; until: Date },
): Promise<PartnerPayment[] | null> {
  const all = new Map<string, PartnerPayment>()
  // The partner's clock may be ahead.
  const to = new Date(until.getTime() + overlapMs / 4)
  for (let page = 0; page < maxPages; page++) {
    if (signal.aborted) return null
    const listed = await partner.payments.listPayments({
      by: 'createdAt',
      from: since,
      to,
      startAt: page * perPage,
      perPage,
    })
    for (const payment of listed) all.set(payment.id, payment)
    if (listed.length < perPage) return [...all.values()]
  }
  throw new Error(`the partner lists more than ${maxPages * perPage} payments of a day`)
}

/** Rows of the period, and those that the list names. */
function sentOutflows(
  db: Queryable,
  partner: string,
  { since, until }: { since: Date; until: Date },
  listed: readonly PartnerPayment[],
): Promise<SentOutflow[]> {
  return db.query<SentOutflow>(
    `select id::text, status, currency, local_amount::text as "localAmount", partner_payment_id as "partnerPaymentId", submitted_at as "submittedAt"
     from outflows where partner = $1 and kind <> 'top_up' and (submitted_at between $2 and $3 or id::text = any($4) or partner_payment_id = any($5))`,
    [partner, since, until, listed.map(({ sequenceId }) => sequenceId ?? ''), listed.map(({ id }) => id)],
  )
}

/**
 * What the balance has above the books beyond what is under way: payouts may have been taken already, and
 * top-ups may not have come yet.
 */
async function driftOf(tx: Tx, partner: string, { available, readAt }: PartnerFunds): Promise<bigint> {
  const booked = await balanceOf(tx, { name: `partner:${partner}`, businessId: null, asset: dollars })
  const { maxCost } = await openAtPartner(tx, partner, readAt)
  const { coming, booked: unseen } = await unseenTopUps(tx, partner)
  const justPaid = await paidSince(tx, partner, readAt)
  const [highest, lowest] = [booked + justPaid + coming, booked - maxCost - unseen]
  if (available > highest) return available - highest
  return available < lowest ? available - lowest : 0n
}

async function paidSince(tx: Tx, partner: string, since: Date): Promise<bigint> {
  const [row] = await tx.query<{ cost: string }>(
    "select coalesce(sum(partner_cost), 0)::text as cost from outflows where partner = $1 and status = 'completed' and completed_at >= $2",
    [partner, since],
  )
  return BigInt(row?.cost ?? 0)
}

interface Found {
  mismatches: Mismatch[]
  drift: bigint
  payments: number
  payouts: number
}

async function store(
  tx: Tx,
  partner: string,
  { since, until }: { since: Date; until: Date },
  found: Found,
): Promise<Comparison> {
  const { mismatches, drift, payments, payouts } = found
  const [stored] = await tx.query<{ id: string; at: Date }>(
    `insert into partner_comparisons (partner, since, until, payments, payouts, drift, ended_at)
     values ($1, $2, $3, $4, $5, $6, clock_timestamp()) returning id::text, ended_at as at`,
    [partner, since, until, payments, payouts, String(drift)],
  )
  await tx.query(
    `insert into partner_mismatches (comparison_id, place, problem, outflow_id, partner_payment_id)
     select $1, * from unnest($2::text[], $3::text[], $4::uuid[], $5::text[])`,
    [
      stored?.id,
      mismatches.map(({ place }) => place),
      mismatches.map(({ problem }) => problem),
      mismatches.map(({ outflowId }) => outflowId),
      mismatches.map(({ partnerPaymentId }) => partnerPaymentId),
    ],
  )
  return { at: stored?.at ?? until, mismatches, drift }
}
