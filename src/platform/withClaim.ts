import { isDatabaseAway } from './databaseAway.ts'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'
import type { Cause } from './scope.ts'
import { isOld, onBehalf } from './tracing.ts'
import { whenDatabaseIsBack } from './whenDatabaseIsBack.ts'

/** A row of the database that is worked on when it is due. The fields but `key` are SQL of the code's own. */
export interface DueRow {
  table: 'bridge_transfers' | 'intents' | 'outflows' | 'stakes' | 'sweeps' | 'sweep_sources'
  /** The column with the moment at which it is due. */
  at: 'next_at' | 'next_reconcile_at'
  /** Its primary key. */
  key: Readonly<Record<string, string>>
  /** It may be claimed before it is due, too. */
  orIf?: string
  /** Is set with the claim. */
  also?: string
  /** Columns that the work needs: read with the check whether it is due, and claimed only if the row has not changed since. */
  read?: string
  /** Longer than the work takes; then another worker takes over from one that died. */
  leaseMs: number
}

export interface Claim {
  /** When it ends, exact, as text. */
  until: string
  /** Makes the row due again after this time, unless it has changed since. */
  release(inMs?: number): Promise<unknown>
}

/** Tables whose rows remember what they were made for. */
const remembering: readonly string[] = ['intents', 'outflows']

interface Seen extends Cause {
  createdAt: Date | null
  until: string
  /** Every change of the row gives it another one. */
  version: string
}

/**
 * Claims a row that is due for the time of a lease, and works on it; does nothing if it is not due, or another worker has claimed it. A claim ends at a
 * moment that is chosen before: so it is recognised where its answer was lost with the database, and released as soon as that is back. The same where the
 * database goes away during the work. In traces it is a part of what made the row.
 */
export async function withClaim<R extends object>(db: Db, row: DueRow, work: (claim: Claim, read: R) => Promise<void>): Promise<void> {
  const { table, at, key, orIf, also, read, leaseMs } = row
  const names = Object.keys(key)
  const itself = names.map((name, index) => `${name} = $${index + 2}`).join(' and ')
  const isDue = orIf === undefined ? `${at} <= now()` : `(${at} <= now() or ${orIf})`
  const next = `$${names.length + 2}`
  const ask = (sql: string, value: unknown, ...more: unknown[]) => db.query<R & Seen>(prepared(sql), [value, ...Object.values(key), ...more])

  const cause = remembering.includes(table)
    ? 'traceparent, request_id as "requestId", created_at as "createdAt"'
    : 'null as traceparent, null as "requestId", null as "createdAt"'
  const seen = `${cause}, (clock_timestamp() + $1 * interval '1 ms')::text as until, ${table}.xmin::text as version`
  const [due] = await ask(`select ${seen}${read === undefined ? '' : `, ${read}`} from ${table} where ${itself} and ${isDue}`, leaseMs)
  if (!due) return
  const { until, version } = due
  const release = (inMs = 0) =>
    ask(`update ${table} set ${at} = now() + $1 * interval '1 ms' where ${itself} and ${at} = ${next}::timestamptz`, inMs, until)
  try {
    const sets = `${at} = $1::timestamptz${also === undefined ? '' : `, ${also}`}`
    const isSeen = read === undefined ? '' : ` and xmin::text = ${next}`
    const claimed = await ask(
      `update ${table} set ${sets} where ${itself} and ${isDue}${isSeen} returning 1`,
      until,
      ...(read === undefined ? [] : [version]),
    )
    if (claimed.length === 0) return
    const attributes = { 'cowry.row.id': Object.values(key).join(' ') }
    await onBehalf(due, `step ${table}`, { again: due.createdAt !== null && isOld(due.createdAt), attributes }, () => work({ until, release }, due))
  } catch (error) {
    if (isDatabaseAway(error)) void whenDatabaseIsBack(leaseMs, release)
    throw error
  }
}
