import type { Queryable } from '../platform/database/db.ts'
import type { Close } from './closeLedger.ts'
import type { ComparedChain } from './comparedChains.ts'
import type { LedgerDrift } from './drift.ts'

/** The newest closes, newest first. */
export async function readCloses(db: Queryable, limit: number): Promise<Close[]> {
  const rows = await db.query<
    Omit<Close, 'entries' | 'lastPosition'> & { entries: string; lastPosition: string }
  >(
    `select id, started_at as "startedAt", ended_at as "endedAt", entries, last_position as "lastPosition", encode(last_hash, 'hex') as "lastHash", drifts
     from ledger_closes order by id desc limit $1`,
    [limit],
  )
  const chains = await readComparedChains(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...row,
    entries: Number(row.entries),
    lastPosition: BigInt(row.lastPosition),
    chains: chains.get(row.id) ?? [],
  }))
}

/** How the chains compared when these closes were made. */
export async function readComparedChains(
  db: Queryable,
  closeIds: readonly string[],
): Promise<Map<string, ComparedChain[]>> {
  const rows = await db.query<Omit<ComparedChain, 'height'> & { closeId: string; height: string | null }>(
    `select close_id as "closeId", chain, check_id as "checkId", checked_at as "checkedAt", height, drifts, is_overdue as "isOverdue"
     from ledger_close_chains where close_id = any($1::bigint[]) order by chain`,
    [closeIds],
  )
  const of = Map.groupBy(rows, ({ closeId }) => closeId)
  const view = ({ closeId: _, height, ...row }: (typeof rows)[number]): ComparedChain => ({
    ...row,
    height: height === null ? null : BigInt(height),
  })
  return new Map([...of].map(([closeId, chains]) => [closeId, chains.map(view)]))
}

export async function isClose(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('select 1 from ledger_closes where id = $1', [id])).length > 0
}

export const readDrifts = (db: Queryable, closeId: string): Promise<LedgerDrift[]> =>
  db.query<LedgerDrift>(
    'select kind, account_id as "accountId", subject, expected, found from ledger_drifts where close_id = $1 order by number',
    [closeId],
  )
