import { BaseError } from '../errors.ts'
import { pause } from '../wait.ts'
import type { Queryable } from './db.ts'

/** The address leads to no standby of the database. */
export class NotAReplicaError extends BaseError {
  readonly code = 'not_a_replica'
  readonly retry = 'no'
}

/**
 * The end of the primary's log, with what is not yet written to its disk: a commit that does not wait for the
 * disk is answered before.
 */
export const endOfLog = async (primary: Queryable): Promise<bigint> => (await logOf(primary)).end

/** With the identifier that a server and its standbys have alike. */
async function logOf(primary: Queryable): Promise<{ system: string; end: bigint }> {
  const [row] = await primary.query<{ system: string; position: string; segment: string; page: string }>(
    `select system_identifier::text as system, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as position,
       pg_size_bytes(current_setting('wal_segment_size'))::text as segment, current_setting('wal_block_size') as page from pg_control_system()`,
  )
  if (!row) throw new Error('the primary gave no position of its log')
  return {
    system: row.system,
    end: withoutHeader(BigInt(row.position), BigInt(row.segment), BigInt(row.page)),
  }
}

/**
 * Where the next record comes first in a page, Postgres counts the page's header, which is written with that
 * record. A standby that has all records stands before it: after each change of the segment, until something
 * is written.
 */
function withoutHeader(position: bigint, segment: bigint, page: bigint): bigint {
  const header = position % segment < page ? 40n : 24n
  return position % page === header ? position - header : position
}

/**
 * How far a standby has replayed the log of the primary.
 * @throws NotAReplicaError where the address leads to another server, to one that was promoted, or to a standby of
 * what the primary was before it was
 *   restored: that one has a log of its own, and may be ahead
 */
export async function replayedBy(standby: Queryable, primary: Queryable): Promise<bigint> {
  const [row] = await standby.query<{ isStandby: boolean; position: string | null; system: string }>(
    `select pg_is_in_recovery() as "isStandby", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as position,
       system_identifier::text as system from pg_control_system()`,
  )
  if (row?.isStandby !== true || row.position === null)
    throw new NotAReplicaError('DATABASE_REPLICA_URL does not lead to a standby')
  const { system, end } = await logOf(primary)
  if (row.system !== system)
    throw new NotAReplicaError('DATABASE_REPLICA_URL leads to a standby of another server')
  const position = BigInt(row.position)
  if (position > end)
    throw new NotAReplicaError(
      'DATABASE_REPLICA_URL leads to a standby with a log that the primary does not have',
    )
  return position
}

/**
 * Waits until a standby has replayed what the primary's log holds now. @returns how long it took; null:
 * longer than `maxLagMs`
 */
export async function lagOfReplica(
  primary: Queryable,
  standby: Queryable,
  maxLagMs: number,
): Promise<number | null> {
  const from = performance.now()
  const position = await endOfLog(primary)
  for (;;) {
    if ((await replayedBy(standby, primary)) >= position) return performance.now() - from
    if (performance.now() - from > maxLagMs) return null
    await pause(20)
  }
}
