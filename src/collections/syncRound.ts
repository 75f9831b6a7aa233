import type { PartnerCollection } from '../partnerPayments/collectionPartner.ts'
import { readChanges, spreadMs, startOfRound } from '../partnerPayments/readChanges.ts'
import { storeRound } from '../partnerPayments/syncRounds.ts'
import type { Queryable } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { applyAnswers } from './applyAnswer.ts'
import type { StepContext } from './stepCollection.ts'

const perPage = 100

export interface Round {
  pages: number
  /** Our collections in the list. */
  shown: number
  /** Those of them whose state it changes. */
  changed: number
  /** Those that should be in the list, and are not: they are read alone. */
  missing: number
}

/**
 * Reads the partner's list of what has changed since `from`, and stores it. What it should show and does not
 * becomes due for a single read.
 */
export async function syncRound(ctx: StepContext, from: Date): Promise<Round> {
  const { name: partner } = ctx.partner
  const beganAt = new Date()
  const round: Round = { pages: 0, shown: 0, changed: 0, missing: 0 }
  const seen = new Set<string>()
  await readChanges(ctx.db, from, {
    table: 'collection_syncs',
    partner,
    turn: ctx.turn,
    async ask(startDate, page) {
      const { collections, isLast } = await ctx.partner.list({ startDate, page, perPage })
      return { listed: collections, isLast }
    },
    async take({ listed }, askedAt) {
      round.pages++
      round.changed += await takePage(ctx, seen, listed, askedAt)
      failpoint('collections.page-taken')
    },
  })
  round.shown = seen.size
  round.missing = await askForMissing(ctx, seen, { start: startOfRound(from), beganAt })
  await storeRound(ctx.db, 'collection_syncs', partner, beganAt)
  failpoint('collections.synced')
  return round
}

interface ListedRow {
  id: string
  partnerPaymentId: string | null
  partnerStatus: string | null
  partnerUpdatedAt: Date | null
}

/**
 * Stores what a page shows. Most of it is known: a row is locked only for what is new. @returns how many rows
 * it changed
 */
async function takePage(
  ctx: StepContext,
  seen: Set<string>,
  page: readonly PartnerCollection[],
  askedAt: Date,
): Promise<number> {
  const rows = await listedRows(ctx.db, ctx.partner.name, page)
  const news = page.flatMap((answer) => {
    const row = rows.get(answer.id) ?? rows.get(answer.sequenceId ?? '')
    if (!row) return []
    seen.add(row.id)
    const isKnown =
      row.partnerStatus === answer.status && row.partnerUpdatedAt?.getTime() === answer.updatedAt.getTime()
    return isKnown ? [] : [{ id: row.id, answer }]
  })
  // What cannot be stored counts as not shown, and is read alone.
  for (const id of await applyAnswers(ctx, news, askedAt)) seen.delete(id)
  return news.length
}

/** Our rows of a page, by the partner's ids, and by our ids where the partner has not named one yet. */
async function listedRows(
  db: Queryable,
  partner: string,
  page: readonly PartnerCollection[],
): Promise<Map<string, ListedRow>> {
  const rows = await db.query<ListedRow>(
    `select id, partner_payment_id as "partnerPaymentId", partner_status as "partnerStatus", partner_updated_at as "partnerUpdatedAt" from fiat_collections
     where partner = $1 and partner_payment_id = any($2)
     union all
     select id, null, null, null from fiat_collections
     where partner = $1 and partner_payment_id is null and (submitted_at is not null or unsure_since is not null) and id::text = any($3)`,
    [partner, page.map(({ id }) => id), page.map(({ sequenceId }) => sequenceId)],
  )
  return new Map(rows.map((row) => [row.partnerPaymentId ?? row.id, row]))
}

/** Open collections whose last known change is in the time of the list, and which it did not show. */
async function askForMissing(
  ctx: StepContext,
  seen: ReadonlySet<string>,
  { start, beganAt }: { start: Date; beganAt: Date },
): Promise<number> {
  const expected = await ctx.db.query<{ id: string }>(
    `select id from fiat_collections where partner = $1 and status in ('pending', 'processing') and partner_updated_at >= $2 and partner_asked_at < $3`,
    [ctx.partner.name, start, beganAt],
  )
  const missing = expected.flatMap(({ id }) => (seen.has(id) ? [] : id))
  if (missing.length > 0)
    await ctx.db.query(
      `update fiat_collections set next_at = least(next_at, now() + random() * $2 * interval '1 ms')
       where id in (select id from fiat_collections where id = any($1::uuid[]) and status in ('pending', 'processing') order by id for update)`,
      [missing, spreadMs],
    )
  return missing.length
}
