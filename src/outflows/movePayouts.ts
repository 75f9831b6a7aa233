import { post } from '../ledger/post.ts'
import { releasedPayouts } from '../ledger/reservation.ts'
import type { Tx } from '../platform/database/db.ts'
import { requireReleases } from './ends/mayRelease.ts'
import type { Release } from './ends/waysToEnd.ts'
import { nextStatuses } from './nextStatuses.ts'
import { inOrder, type Outflow, readOutflows } from './outflow.ts'

/** A move that many payouts make together. */
type Move =
  | { status: 'pending'; release?: undefined; reason?: undefined }
  | { status: 'failed' | 'cancelled'; release: Release; reason?: string }

/**
 * Moves locked payouts of a business that have not left, as `moveOutflow` moves each: with as few statements
 * for a thousand as for one. The caller records their events.
 * @throws RestoreUnsettledError for money that must not be given back now; Error for a state that does not
 * follow
 */
export async function movePayouts(
  tx: Tx,
  businessId: string,
  befores: readonly Outflow[],
  { status, release, reason }: Move,
): Promise<Outflow[]> {
  if (befores.length === 0) return []
  for (const before of befores) {
    if (before.kind !== 'payout' || before.businessId !== businessId || before.byHand !== null)
      throw new Error(`outflow ${before.id} is not moved together with others`)
    if (!nextStatuses[before.status].includes(status))
      throw new Error(`outflow ${before.id} does not become ${status} from ${before.status}`)
  }
  if (release !== undefined) await requireReleases(tx, befores, status, release)
  const ids = befores.map(({ id }) => id)
  const changed = await tx.query(
    `update outflows o set status = $3, reason = $4, completed_at = null, revision = o.revision + 1, updated_at = now(),
       next_at = case when $3 = 'pending' then now() end
     from unnest($1::uuid[], $2::int[]) as b(id, revision) where o.id = b.id and o.revision = b.revision returning o.id`,
    [ids, befores.map(({ revision }) => revision), status, reason ?? null],
  )
  if (changed.length < ids.length) throw new Error('a payout was changed by another process: lock them first')
  if (status === 'pending') await tx.query("select pg_notify('cowry_payouts', '')")
  else await post(tx, await releasedPayouts(tx, businessId, ids))
  return inOrder(ids, await readOutflows(tx, 'id = any($1::uuid[])', [ids]))
}
