import { readComparedChains } from '../ledger/readCloses.ts'
import type { Db } from '../platform/database/db.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeNumber,
  idOfNumber,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'

interface CloseView {
  id: string
  startedAt: string
  endedAt: string
  entries: number
  /** Hexadecimal. */
  lastHash: string
  drifts: number
  chains: {
    chain: string
    checkedAt: string | null
    height: number | null
    drifts: number | null
    isOverdue: boolean
  }[]
  differences: { kind: string; subject: string; expected: string; found: string }[]
}

interface Row extends Omit<CloseView, 'startedAt' | 'endedAt' | 'chains'> {
  startedAt: Date
  endedAt: Date
}

/** Differences shown of one close. */
const maxDifferences = 50

/** A page of closes, by when they started. @throws ApiError 400 naming `cursor` */
export async function listCloses(
  db: Db,
  { since, until }: Created,
  request: PageRequest,
): Promise<Page & { closes: CloseView[] }> {
  const { page, limit, sort, cursor } = request
  const after = cursor === undefined ? null : decodeNumber(cursor)
  return db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(
      countSql(`from ledger_closes c where true${createdSql('c.started_at', null, 1)}`),
      [since ?? null, until ?? null],
    )
    const rows = await tx.query<Row>(
      `select c.id::text, c.started_at as "startedAt", c.ended_at as "endedAt", c.entries::int, encode(c.last_hash, 'hex') as "lastHash", c.drifts,
         coalesce((select jsonb_agg(jsonb_build_object('kind', d.kind, 'subject', d.subject, 'expected', d.expected, 'found', d.found) order by d.number)
           from (select * from ledger_drifts where close_id = c.id order by number limit $3) d), '[]') as differences
       from ledger_closes c where ($4::bigint is null or c.id ${sort === 'ASC' ? '>' : '<'} $4)${createdSql('c.started_at', null, 5)}
       order by c.id ${sort} limit $1 offset $2`,
      [limit, after === null ? (page - 1) * limit : 0, maxDifferences, after, since ?? null, until ?? null],
    )
    const compared = await readComparedChains(
      tx,
      rows.map(({ id }) => id),
    )
    const closes = rows.map((row) => ({
      ...row,
      startedAt: row.startedAt.toISOString(),
      endedAt: row.endedAt.toISOString(),
      chains: (compared.get(row.id) ?? []).map(({ chain, checkedAt, height, drifts, isOverdue }) => ({
        chain,
        checkedAt: checkedAt?.toISOString() ?? null,
        height: height === null ? null : Number(height),
        drifts,
        isOverdue,
      })),
    }))
    const places = rows.map(({ id }) => ({ id: idOfNumber(id) }))
    return { closes, ...pageOf(places, request, counted?.n ?? 0) }
  })
}
