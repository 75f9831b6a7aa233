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
  /** @throws where migrations of this version are missing */
  requireMigrated: (db: Db) => Promise<void>
}

const dayMs = 86_400_000
/** A full backup comes each week, and a differential one each day (deploy/postgres/backup.sh). */
const maxBackupDays = 8

/**
 * Checks that a deployment could go on with a restored copy: it is migrated, of this deployment and of a
 * young backup, its books agree with themselves and with the last close, and its sealed rows open. It changes
 * nothing.
 * @param to the moment of the copy, for servers that cannot report it
 * @throws ConfigError where there is nothing to check
 */
export async function checkCopy(
  { copy, live, appKey, requireMigrated }: Context,
  to: Date | null,
): Promise<CheckedCopy> {
  await requireCopy(copy, live)
  const restoredTo = to ?? (await recoveredTo(copy))
  if (!restoredTo)
    throw new ConfigError(
      'this server cannot tell to which moment it was restored: add --to <time>, with its UTC offset',
    )
  const unmigrated = await faultOf(requireMigrated(copy))
  const [count] = await copy.query<{ entries: number }>(
    'select count(*)::float8 as entries from ledger_entries',
  )
  return {
    restoredTo,
    faults: [
      ...unmigrated,
      ...(await oldBackup(copy, restoredTo)),
      ...(await strangeness(copy, live)),
      ...(await faultOf(readRequestKey({ db: copy, appKey }))),
      ...(await driftsOf(copy)),
    ],
    holdsBack: await isRestored(copy),
    entries: count?.entries ?? 0,
  }
}

/** What a check throws is what does not hold. */
const faultOf = (check: Promise<unknown>): Promise<string[]> =>
  check.then(
    () => [],
    (error) => [messageOf(error)],
  )

async function requireCopy(copy: Queryable, live: Queryable): Promise<void> {
  const [one, other] = await Promise.all([copy, live].map(serverOf))
  if (one === other)
    throw new ConfigError('RESTORED_DATABASE_URL leads to the running database itself, not to a copy')
  const [row] = await copy.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')
  if (row?.recovers !== false)
    throw new ConfigError('RESTORED_DATABASE_URL leads to a standby, or to a copy that has not recovered yet')
}

async function serverOf(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ server: string }>(
    `select concat_ws(' ', (select oid from pg_database where datname = current_database()), pg_postmaster_start_time()) as server`,
  )
  return row?.server
}

/**
 * Of the last transaction that the recovery replayed. Null where the server was started without a recovery,
 * or again since.
 */
async function recoveredTo(copy: Queryable): Promise<Date | null> {
  const [row] = await copy.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at')
  return row?.at ?? null
}

/**
 * Where the file can be read: managed databases keep it to themselves. Newer backups have failed, or are not
 * in this repository.
 */
async function oldBackup(copy: Queryable, restoredTo: Date): Promise<string[]> {
  const [row] = await copy
    .query<{ at: Date | null }>(
      `select substring(pg_read_file('backup_label.old', 0, 10000, true) from 'START TIME: ([^\\n]+)')::timestamptz as at`,
    )
    .catch(() => [])
  const days = row?.at ? (restoredTo.getTime() - row.at.getTime()) / dayMs : 0
  return days > maxBackupDays
    ? [`its backup began ${Math.floor(days)} days before, ${row?.at?.toISOString()}: newer ones have failed`]
    : []
}

/** The copy is of another deployment, or history went apart. */
async function strangeness(copy: Queryable, live: Queryable): Promise<string[]> {
  const faults: string[] = []
  const seedOf = async (db: Queryable) => (await db.query<{ id: string }>('select id from seeds'))[0]?.id
  if ((await seedOf(copy)) !== (await seedOf(live))) faults.push('its seed is not that of this deployment')
  const [last] = await copy.query<{ id: string; hash: string }>(
    "select id, encode(last_hash, 'hex') as hash from ledger_closes order by id desc limit 1",
  )
  const [same] = last
    ? await live.query<{ hash: string }>(
        "select encode(last_hash, 'hex') as hash from ledger_closes where id = $1",
        [last.id],
      )
    : []
  if (last && same?.hash !== last.hash)
    faults.push(`its last close of the ledger, ${last.id}, is not that of the running database`)
  return faults
}

/** Of the books with themselves; how they compare with the chains is a matter of the running database. */
async function driftsOf(copy: Db): Promise<string[]> {
  const drifts = await copy.snapshot((tx) => verifyLedger(tx, undefined, []))
  return drifts
    .slice(0, 20)
    .map(({ kind, subject, expected, found }) => `${kind}  ${subject}: expected ${expected}, found ${found}`)
}
