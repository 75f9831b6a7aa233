import { readRequestKey } from '../custody/requestKey.ts'
import { verifyLedger } from '../ledger/closeLedger.ts'
import { ConfigError } from '../platform/config.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { isRestored } from '../txmgr/restored.ts'

export interface CheckedCopy {
  /** What was committed up to then is in the copy. */
  restoredTo: Date
  /** What does not hold; empty: the copy is sound. */
  faults: string[]
  /** True if Cowry would hold back what leaves, should it start on the copy. */
  holdsBack: boolean
  entries: number
}

interface Context {
  /** A server that was restored from a backup, and that no process of Cowry uses. */
  copy: Db
  live: Db
  appKey: Secret
}

/**
 * Checks that a deployment could go on with a restored copy: it is of this deployment, its books agree with themselves and with the last close, and
 * its sealed rows open. It changes nothing.
 * @param to the moment of the copy, for servers that cannot tell it
 * @throws ConfigError where there is nothing to check
 */
export async function checkCopy({ copy, live, appKey }: Context, to: Date | null): Promise<CheckedCopy> {
  await requireCopy(copy, live)
  const restoredTo = to ?? (await recoveredTo(copy))
  if (!restoredTo) throw new ConfigError('this server cannot tell to which moment it was restored: add --to <time>, with its UTC offset')
  const [count] = await copy.query<{ entries: number }>('select count(*)::float8 as entries from ledger_entries')
  return {
    restoredTo,
    faults: [...(await strangeness(copy, live)), ...(await lockedRows(copy, appKey)), ...(await driftsOf(copy))],
    holdsBack: await isRestored(copy),
    entries: count?.entries ?? 0,
  }
}

async function requireCopy(copy: Queryable, live: Queryable): Promise<void> {
  const [one, other] = await Promise.all([copy, live].map(serverOf))
  if (one === other) throw new ConfigError('RESTORED_DATABASE_URL leads to the running database itself, not to a copy')
}

async function serverOf(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ server: string }>(
    `select concat_ws(' ', (select oid from pg_database where datname = current_database()), pg_postmaster_start_time()) as server`,
  )
  return row?.server
}

/** Of the last transaction that the recovery replayed. Null where the server was started without a recovery, or again since. */
async function recoveredTo(copy: Queryable): Promise<Date | null> {
  const [row] = await copy.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at')
  return row?.at ?? null
}

/** The copy is of another deployment, or history went apart. */
async function strangeness(copy: Queryable, live: Queryable): Promise<string[]> {
  const faults: string[] = []
  const seedOf = async (db: Queryable) => (await db.query<{ id: string }>('select id from seeds'))[0]?.id
  if ((await seedOf(copy)) !== (await seedOf(live))) faults.push('its seed is not that of this deployment')
  const [last] = await copy.query<{ id: string; hash: string }>(
    "select id, encode(last_hash, 'hex') as hash from ledger_closes order by id desc limit 1",
  )
  const [same] = last ? await live.query<{ hash: string }>("select encode(last_hash, 'hex') as hash from ledger_closes where id = $1", [last.id]) : []
  if (last && same?.hash !== last.hash) faults.push(`its last close of the ledger, ${last.id}, is not that of the running database`)
  return faults
}

async function lockedRows(copy: Db, appKey: Secret): Promise<string[]> {
  return readRequestKey({ db: copy, appKey }).then(
    () => [],
    (error) => [messageOf(error)],
  )
}

/** Of the books with themselves; how they compare with the chains is a matter of the running database. */
async function driftsOf(copy: Db): Promise<string[]> {
  const drifts = await copy.snapshot((tx) => verifyLedger(tx, undefined, []))
  return drifts.slice(0, 20).map(({ kind, subject, expected, found }) => `${kind}  ${subject}: expected ${expected}, found ${found}`)
}
