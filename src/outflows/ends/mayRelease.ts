import type { Queryable, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { restoredSql } from '../../txmgr/restored.ts'
import { isInDoubt, OutcomeInDoubtError } from '../inDoubt.ts'
import type { Outflow } from '../outflow.ts'
import { type Release, wayOf } from './waysToEnd.ts'

/**
 * SQL: an outflow `o` to a bank that has not left here, from before the last restore. The partner may have
 * it, and has not been queried since the operator settled the restore.
 */
export const unaskedSql = `(o.partner is not null and o.to_chain is null and o.status in ('awaiting_approval', 'pending')
  and exists (select 1 from database_identity d
    where d.acknowledged_at > o.created_at and (o.partner_asked_at is null or d.acknowledged_at > o.partner_asked_at)))`

/**
 * A release is not made before a restore is settled: a caller gets this answer, and a worker tries again
 * later.
 */
export class RestoreUnsettledError extends ApiError {
  constructor() {
    super(
      409,
      'restore_unsettled',
      'The database was restored, and it may have left before: its money is not given back before the operator, or the partner, has said that it has not',
    )
  }
}

/**
 * Decides if an outflow may leave, or be given back, after a restore: not while anything of it may have left
 * before.
 */
export async function isRestoreSettled(db: Queryable, { id }: Pick<Outflow, 'id'>): Promise<boolean> {
  const [row] = await db.query<{ isUnsettled: boolean }>(
    `select ${restoredSql} or ${unaskedSql} as "isUnsettled" from outflows o where o.id = $1`,
    [id],
  )
  return row?.isUnsettled === false
}

/** Decides if the reservation of a locked outflow may be given back now. */
export const mayRelease = async (db: Queryable, outflow: Outflow): Promise<boolean> =>
  !isInDoubt(outflow) && isRestoreSettled(db, outflow)

/** @throws RestoreUnsettledError, OutcomeInDoubtError where `mayRelease` is false */
export async function requireReleasable(db: Queryable, outflow: Outflow): Promise<void> {
  if (!(await isRestoreSettled(db, outflow))) throw new RestoreUnsettledError()
  if (isInDoubt(outflow)) throw new OutcomeInDoubtError()
}

/** @throws RestoreUnsettledError, OutcomeInDoubtError; Error for a way that does not lead there */
export async function requireRelease(tx: Tx, before: Outflow, to: string, release: Release): Promise<void> {
  requireWay(before, to, release)
  await requireReleasable(tx, before)
}

/** The same of many at once. @throws as `requireRelease` */
export async function requireReleases(
  tx: Tx,
  befores: readonly Outflow[],
  to: string,
  release: Release,
): Promise<void> {
  for (const before of befores) requireWay(before, to, release)
  const unsettled = await tx.query(
    `select 1 from outflows o where o.id = any($1::uuid[]) and (${restoredSql} or ${unaskedSql}) limit 1`,
    [befores.map(({ id }) => id)],
  )
  if (unsettled.length > 0) throw new RestoreUnsettledError()
  if (befores.some(isInDoubt)) throw new OutcomeInDoubtError()
}

/** @throws Error for a way that does not lead there */
function requireWay(before: Outflow, to: string, release: Release): void {
  const way = wayOf(release)
  if (way.to !== to || !way.from.includes(before.status) || !way.kinds.includes(before.kind))
    throw new Error(
      `outflow ${before.id}, a ${before.kind}, does not become ${to} from ${before.status} by ${release}`,
    )
}
