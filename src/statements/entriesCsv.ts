import { csvLine } from '../platform/csv.ts'
import type { Db } from '../platform/database/db.ts'
import { encodeCursor } from '../platform/pages.ts'
import type { AssetsContext } from './assets.ts'
import { conditionsOf, type EntryFilter, type EntryView, readEntries, requireFilter } from './listEntries.ts'

const columns = [
  'entry',
  'time',
  'kind',
  'cause',
  'reference',
  'session',
  'account',
  'asset',
  'amount',
  'symbol',
  'description',
  'reverses',
  'part',
  'fiat',
  'currency',
  'rate',
  'payee',
  'merchant_reference',
  'transaction',
  'corrects',
] as const

/** Entries read at a time. */
const batch = 500

/** What a long answer does between two pieces. */
interface Progress {
  /** Aborted when the caller has gone or the process stops: the file then stays unfinished. */
  signal: AbortSignal
  /** @throws ApiError where the caller has lost its right */
  confirm(): Promise<void>
  goesOn(rows: number): Promise<void>
}

/**
 * All entries of a filter as CSV (RFC 4180), a line for each posting. Each piece is read when the one before
 * has left; no transaction stays open.
 * @throws ApiError 400 naming a field, with the first piece
 */
export async function* entriesCsv(
  ctx: AssetsContext & { db: Db },
  businessId: string,
  filter: EntryFilter,
  sort: 'ASC' | 'DESC',
  { signal, confirm, goesOn }: Progress,
): AsyncGenerator<{ body: object; text: string }, void, undefined> {
  requireFilter(ctx, filter)
  let head = csvLine(columns)
  let cursor: string | undefined
  let total = 0
  for (;;) {
    const request = { page: 1, limit: batch, sort, ...(cursor && { cursor }) }
    const entries = await ctx.db.snapshot(async (tx) =>
      readEntries(ctx, tx, businessId, await conditionsOf(tx, businessId, filter), request),
    )
    total += entries.length
    const last = entries.length === batch ? entries.at(-1) : undefined
    cursor = last && encodeCursor(last.id)
    const body = { entries, total, page: 1, limit: batch, totalPages: 1, nextCursor: cursor ?? null }
    yield { body, text: head + entries.flatMap(linesOf).join('') }
    if (cursor === undefined) return
    head = ''
    signal.throwIfAborted()
    await goesOn(entries.length)
    await confirm()
  }
}

/** A line for each posting; a posting that consists of parts has one for each of them instead. */
const linesOf = ({ postings, ...entry }: EntryView): string[] =>
  postings.flatMap(({ account, asset, amount, symbol, parts }) => {
    const line = (of: {
      part: string | null
      amount: string
      fiat: { amount: string; currency: string } | null
    }) =>
      csvLine([
        entry.id,
        entry.createdAt,
        entry.kind,
        entry.cause,
        entry.reference,
        entry.sessionId,
        account,
        asset,
        { number: of.amount },
        symbol,
        entry.description,
        entry.reverses,
        of.part,
        of.fiat && { number: of.fiat.amount },
        of.fiat?.currency ?? null,
        entry.fiat && { number: entry.fiat.rate },
        entry.payee,
        entry.merchantReference,
        entry.transaction?.txId ?? null,
        entry.corrects,
      ])
    return parts.length > 0 ? parts.map(line) : [line({ part: null, amount, fiat: entry.fiat })]
  })
