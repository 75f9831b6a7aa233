import type { PartnerPayment } from '../../partnerPayments/partner.ts'
import { readChanges, spreadMs, startOfRound } from '../../partnerPayments/readChanges.ts'
import { claimRound, storeFailedRound, storeRound } from '../../partnerPayments/syncRounds.ts'
import { isDatabaseAway } from '../../platform/database/databaseAway.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { messageOf } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { BankContext } from '../context.ts'
import { type Outflow, readOutflows } from '../outflow.ts'
import { usualReturnDays } from '../workerSettings.ts'
import { meaningOf } from './nextOfPartner.ts'
import { isWholeEnd, recordAnswer } from './recordAnswer.ts'

export type PaymentSyncContext = BankContext & {
  /** A bank may return a payout for so long. */
  returnDays?: number
  /** Resolves when the partner may get a request again, within its limit over all workers. */
  turn(): Promise<void>
}

const perPage = 100
/** The partner's clock may be ahead of our clock. */
const aheadMs = 24 * 3_600_000
/** Payouts of a page that are stored at a time: an end of one is booked. */
const atOnce = 8
const atPartner = "partner = $1 and kind <> 'top_up' and status in ('processing', 'unknown')"
const returnable =
  "partner = $1 and status = 'completed' and partner_payment_id is not null and ended_by is null"

export interface PaymentRound {
  pages: number
  /** Payouts under way that the list has. */
  shown: number
  /** Those of them that have changed. */
  changed: number
  /** Those that should be in the list, and are not: they are queried alone. */
  missing: number
  /** Completed ones that the list shows as unpaid: they are queried alone. */
  returned: number
}

/**
 * Reads the partner's list of payments when a round is due.
 * @returns null if no round is, or nothing is under way and nothing can come back
 * @throws what has ended the round
 */
export async function syncPaymentsWhenDue(ctx: PaymentSyncContext): Promise<PaymentRound | null> {
  const { name } = ctx.partner.payments
  const claimed = await claimRound(ctx.db, 'payout_syncs', name)
  if (!claimed) return null
  const oldest = await oldestOf(ctx, name)
  if (!oldest) {
    await storeRound(ctx.db, 'payout_syncs', name, null)
    return null
  }
  const { syncedUntil } = claimed
  try {
    return await syncPayments(ctx, syncedUntil !== null && syncedUntil > oldest ? syncedUntil : oldest)
  } catch (error) {
    await storeFailedRound(ctx.db, 'payout_syncs', name)
    throw error
  }
}

/**
 * Since when the list has to be read: from the oldest payout under way, or the first one that a bank may
 * still return.
 */
async function oldestOf(
  { db, returnDays = usualReturnDays }: PaymentSyncContext,
  partner: string,
): Promise<Date | null> {
  const [row] = await db.query<{ oldest: Date | null }>(
    `select least(
       (select min(submitted_at) from outflows where ${atPartner}),
       (select min(completed_at) from outflows where ${returnable} and completed_at > now() - $2 * interval '1 day')) as oldest`,
    [partner, returnDays],
  )
  return row?.oldest ?? null
}

/**
 * Takes payouts under way further by what the list shows. What it should show and does not becomes due to be
 * queried alone.
 */
async function syncPayments(ctx: PaymentSyncContext, from: Date): Promise<PaymentRound> {
  const { payments } = ctx.partner
  const beganAt = new Date()
  const round: PaymentRound = { pages: 0, shown: 0, changed: 0, missing: 0, returned: 0 }
  const seen = new Set<string>()
  const unsure = new Set<string>()
  await readChanges(ctx.db, from, {
    table: 'payout_syncs',
    partner: payments.name,
    turn: ctx.turn,
    async ask(since, page) {
      const to = new Date(beganAt.getTime() + aheadMs)
      const listed = await payments.listPayments({
        by: 'updatedAt',
        from: since,
        to,
        startAt: (page - 1) * perPage,
        perPage,
      })
      return { listed, isLast: listed.length < perPage }
    },
    async take({ listed }, askedAt) {
      round.pages++
      const news = await newsOf(ctx, listed)
      for (const { outflow } of news) seen.add(outflow.id)
      const changed = news.filter(
        ({ outflow, payment }) => outflow.status !== 'processing' || outflow.partnerStatus !== payment.status,
      )
      round.changed += changed.length
      await takeAll(ctx, changed, unsure, askedAt)
      round.returned += await askForReturned(ctx, listed)
    },
  })
  round.shown = seen.size
  round.missing = await askForMissing(ctx, { seen, unsure, start: startOfRound(from), beganAt })
  await storeRound(ctx.db, 'payout_syncs', payments.name, beganAt)
  return round
}

interface News {
  outflow: Outflow
  payment: PartnerPayment
}

/**
 * Payouts under way that a page names: by the partner's ids, and by our ids where the partner has not named
 * one yet.
 */
async function newsOf(ctx: PaymentSyncContext, page: readonly PartnerPayment[]): Promise<News[]> {
  const { name } = ctx.partner.payments
  const ours = page.flatMap(({ sequenceId }) => (sequenceId !== null && isUuid(sequenceId) ? sequenceId : []))
  const rows = await readOutflows(
    ctx.db,
    `${atPartner} and (partner_payment_id = any($2) or (partner_payment_id is null and submitted_at is not null and id = any($3::uuid[])))`,
    [name, page.map(({ id }) => id), ours],
  )
  const byName = new Map(rows.map((row) => [row.partnerPaymentId ?? row.id, row]))
  return page.flatMap((payment) => {
    const outflow = byName.get(payment.id) ?? byName.get(payment.sequenceId ?? '')
    return outflow ? [{ outflow, payment }] : []
  })
}

/** One that cannot be stored delays no other: it is queried alone. */
async function takeAll(
  ctx: PaymentSyncContext,
  news: readonly News[],
  unsure: Set<string>,
  askedAt: Date,
): Promise<void> {
  const turns = news.values()
  const take = async ({ outflow, payment }: News): Promise<void> => {
    // An answer to a question by our own id names all that an end is about.
    if (!isWholeEnd(outflow, payment)) return void unsure.add(outflow.id)
    try {
      await recordAnswer(ctx, outflow, payment, askedAt, 'question')
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      unsure.add(outflow.id)
      ctx.log.error(
        { outflow: outflow.id, err: messageOf(error) },
        'the state of a payout in the list could not be stored',
      )
    }
  }
  await Promise.all(
    Array.from({ length: Math.min(atOnce, news.length) }, async () => {
      for (const each of turns) await take(each)
    }),
  )
}

/** The bank may have returned them: only an answer to a query by our own id proves it. */
async function askForReturned(
  { db, partner }: PaymentSyncContext,
  page: readonly PartnerPayment[],
): Promise<number> {
  const unpaid = page.flatMap(({ id, status }) => (meaningOf(status) === 'unpaid' ? id : []))
  if (unpaid.length === 0) return 0
  const woken = await db.query(
    `update outflows set next_at = now() where id in
       (select id from outflows where ${returnable} and partner_payment_id = any($2) and next_at is null order by id for update) returning id`,
    [partner.payments.name, unpaid],
  )
  if (woken.length > 0) await db.query("select pg_notify('cowry_payouts', '')")
  return woken.length
}

interface Listed {
  seen: ReadonlySet<string>
  unsure: ReadonlySet<string>
  start: Date
  beganAt: Date
}

/**
 * Payouts whose last known change is in the time of the list, and which it did not show, and those that it
 * does not show well.
 */
async function askForMissing(
  ctx: PaymentSyncContext,
  { seen, unsure, start, beganAt }: Listed,
): Promise<number> {
  const { name } = ctx.partner.payments
  const expected = await ctx.db.query<{ id: string }>(
    `select o.id from outflows o join partner_payment_states s using (partner, partner_payment_id)
     where o.partner = $1 and o.kind <> 'top_up' and o.status = 'processing' and s.updated_at >= $2 and s.fetched_at < $3`,
    [name, start, beganAt],
  )
  const missing = [...expected.flatMap(({ id }) => (seen.has(id) ? [] : id)), ...unsure]
  if (missing.length > 0) await makeDue(ctx.db, name, missing)
  return missing.length
}

const makeDue = (db: Queryable, partner: string, ids: readonly string[]) =>
  db.query(
    `update outflows set next_at = least(next_at, now() + random() * $3 * interval '1 ms')
     where id in (select id from outflows where ${atPartner} and id = any($2::uuid[]) order by id for update)`,
    [partner, ids, spreadMs],
  )
