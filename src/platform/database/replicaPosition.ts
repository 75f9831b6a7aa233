import { pause } from '../wait.ts'
import type { Queryable } from './db.ts'

/** The address leads to no standby of the database. */
export class NotAReplica extends Error {}

/** The end of the primary's log, with what is not yet written to its disk: a commit that does not wait for the disk is answered before. */
export async function endOfLog(primary: Queryable): Promise<bigint> {
  const [row] = await primary.query<{ position: string }>(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as position`)
  return BigInt(row?.position ?? 0)
}

/**
 * How far a standby has replayed the log of the primary.
 * @throws NotAReplica where the address leads to another server, or to one that was promoted
 */
export async function replayedBy(standby: Queryable, primary: Queryable): Promise<bigint> {
  const [row] = await standby.query<{ isStandby: boolean; position: string | null }>(
    `select pg_is_in_recovery() as "isStandby", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as position`,
  )
  if (row?.isStandby !== true || row.position === null) throw new NotAReplica('DATABASE_REPLICA_URL does not lead to a standby')
  if ((await systemOf(standby)) !== (await systemOf(primary))) throw new NotAReplica('DATABASE_REPLICA_URL leads to a standby of another server')
  return BigInt(row.position)
}

/** The same for a server and its standbys. */
async function systemOf(db: Queryable): Promise<string> {
  const [row] = await db.query<{ system: string }>('select system_identifier::text as system from pg_control_system()')
  return row?.system ?? ''
}

/** Waits until a standby has replayed what the primary's log holds now. @returns how long it took; null: longer than `maxLagMs` */
export async function lagOfReplica(primary: Queryable, standby: Queryable, maxLagMs: number): Promise<number | null> {
  const from = performance.now()
  const position = await endOfLog(primary)
  for (;;) {
    if ((await replayedBy(standby, primary)) >= position) return performance.now() - from
    if (performance.now() - from > maxLagMs) return null
    await pause(20)
  }
}
