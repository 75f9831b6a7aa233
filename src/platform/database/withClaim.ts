import { randomInt } from 'node:crypto'
import type { Cause } from '../telemetry/scope.ts'
import { isOld, onBehalf } from '../telemetry/tracing.ts'
import { isDatabaseAway } from './databaseAway.ts'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'
import { whenDatabaseIsBack } from './whenDatabaseIsBack.ts'

/** In microseconds. */
const second = 1_000_000

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
  /**
   * Columns that the work needs: read at the moment of the claim. A row that changes at the same time is not
   * claimed.
   */
  read?: string
  /**
   * SQL: such a row is not claimed, only read. What the work does then must be safe for two workers at once.
   * With `read`.
   */
  freeIf?: string
  /** Longer than the work takes; then another worker takes over from one that died. */
  leaseMs: number
}

export interface Claim {
  /** When it ends, exact, as text. */
  until: string
  /** Makes the row due again after this time, unless it has changed since. */
  release(inMs?: number): Promise<unknown>
}

/**
 * Tables whose rows remember what they were made for. What is to be swept from an address is known by what
 * was paid to it.
 */
const remembering: readonly string[] = ['bridge_transfers', 'intents', 'outflows', 'stakes', 'sweeps']

/** The cause is of these tables alone. */
interface Claimed extends Partial<Cause> {
  until: string
  createdAt?: Date
}

/**
 * Claims a row that is due for the time of a lease, and works on it; does nothing if it is not due, or
 * another worker has claimed it. A claim ends at a moment with microseconds of its own: so it is recognised
 * where its answer was lost with the database, and released as soon as that is back. The same where the
 * database goes away during the work, unless the work has changed the row: then the lease runs out. In traces
 * it is a part of what made the row.
 */
export async function withClaim<R extends object>(
  db: Db,
  row: DueRow,
  work: (claim: Claim, read: R) => Promise<void>,
): Promise<void> {
  const { table, key, leaseMs } = row
  const sql = statementsOf(row)
  const ask = (text: string, value: number, more: unknown) =>
    db.query<R & Claimed>(text, [value, ...Object.values(key), more])

  const mark = randomInt(second)
  let claimed: (R & Claimed) | undefined
  const release = (inMs = 0) =>
    claimed === undefined ? ask(sql.releaseMarked, inMs, mark) : ask(sql.release, inMs, claimed.until)
  try {
    ;[claimed] = await ask(sql.claim, leaseMs, mark)
    const mine = claimed
    if (!mine) return
    const { traceparent = null, requestId = null, createdAt } = mine
    const attributes = { 'cowry.row.id': Object.values(key).join(' ') }
    const again = createdAt !== undefined && isOld(createdAt)
    await onBehalf({ traceparent, requestId }, `step ${table}`, { again, attributes }, () =>
      work({ until: mine.until, release }, mine),
    )
  } catch (error) {
    if (isDatabaseAway(error)) void whenDatabaseIsBack(leaseMs, release)
    throw error
  }
}

interface Statements {
  claim: string
  release: string
  /** Without the answer of the claim. */
  releaseMarked: string
}

/** The texts are long, and a claim is short. By table, and by all other parts of the text. */
const known = new Map<string, { of: DueRow; made: Statements }[]>()

function statementsOf(row: DueRow): Statements {
  const ofTable = known.get(row.table) ?? []
  known.set(row.table, ofTable)
  const found = ofTable.find(({ of }) => isAlike(of, row))
  if (found) return found.made
  const made = statements(row)
  ofTable.push({ of: row, made })
  return made
}

const isAlike = (one: DueRow, other: DueRow): boolean =>
  one.read === other.read &&
  one.at === other.at &&
  one.orIf === other.orIf &&
  one.also === other.also &&
  one.freeIf === other.freeIf &&
  Object.keys(one.key).join() === Object.keys(other.key).join()

function statements({ table, at, key, orIf, also, read, freeIf = 'false' }: DueRow): Statements {
  const names = Object.keys(key)
  const itself = names.map((name, index) => `${table}.${name} = $${index + 2}`).join(' and ')
  const isDue = orIf === undefined ? `${at} <= now()` : `(${at} <= now() or ${orIf})`
  const next = `$${names.length + 2}`
  const set = `update ${table} set ${at} = date_trunc('second', clock_timestamp() + $1 * interval '1 ms') + ${next}::int * interval '1 us'`
  const sets = also === undefined ? set : `${set}, ${also}`
  const until = `${table}.${at}::text as until`
  const cause = `${table}.traceparent, ${table}.request_id as "requestId", ${table}.created_at as "createdAt"`
  const remembered = remembering.includes(table) ? `, ${cause}` : ''
  const released = `update ${table} set ${at} = now() + $1 * interval '1 ms' where ${itself} and`
  return {
    claim: prepared(
      read === undefined
        ? `${sets} where ${itself} and ${isDue} returning ${until}${remembered}`
        : `with seen as materialized (
             select ${table}.xmin as version, ${freeIf} as "isFree", ${at}::text as "dueAt", ${read}${remembered} from ${table} where ${itself} and ${isDue}),
           claimed as (${sets} from seen where not seen."isFree" and ${itself} and ${table}.xmin = seen.version returning ${until})
           select seen.*, coalesce(claimed.until, seen."dueAt") as until from seen left join claimed on true
           where seen."isFree" or claimed.until is not null`,
    ),
    release: prepared(`${released} ${at} = ${next}::timestamptz`),
    releaseMarked: prepared(`${released} extract(microseconds from ${at})::int % ${second} = ${next}`),
  }
}
