import type { Tx } from '../platform/database/db.ts'
import type { OutflowsContext } from './context.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockClaimed, type Outflow } from './outflow.ts'
import type { FundsWait } from './treasuryFunds.ts'

export type UnsentReason = FundsWait | 'chain_unavailable'

/** Longer and longer: many may wait for the same. */
const [minMs, maxMs] = [5000, 60_000]

/**
 * Stores that a pending outflow waits. What its business has on deposit addresses is swept, where that is
 * what is missing.
 */
export async function deferOutflow(
  ctx: OutflowsContext,
  outflow: Outflow,
  reason: UnsentReason,
): Promise<void> {
  const stored = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (now?.status !== 'pending') return false
    if (reason === 'float_low') await sweepForFloat(tx, now)
    const since = now.reason === reason ? Date.now() - now.updatedAt.getTime() : 0
    const nextInMs = ctx.pollMs ?? Math.min(Math.max(since / 10, minMs), maxMs)
    await moveOutflow(ctx, tx, now, { reason, nextInMs })
    return true
  })
  if (!stored) return
  ctx.observe('waiting', outflow.kind)
  if (outflow.reason !== reason)
    ctx.log.warn(
      { outflow: outflow.id, chain: outflow.wallet?.chain, token: outflow.wallet?.token, reason },
      'an outflow waits',
    )
}

const sweepAgainMinutes = 5

/**
 * Has the deposit addresses of an outflow's business swept that may hold something, each at most every few
 * minutes.
 */
async function sweepForFloat(tx: Tx, { businessId, wallet }: Outflow): Promise<void> {
  if (businessId === null || wallet === null) return
  const forced = await tx.query(
    `update sweep_sources set forced = true, next_at = now()
     where chain = $1 and business_id = $2 and not forced and (next_at is not null or waits)
       and (planned_at is null or planned_at < now() - $3 * interval '1 minute') returning address`,
    [wallet.chain, businessId, sweepAgainMinutes],
  )
  if (forced.length > 0) await tx.query("select pg_notify('cowry_sweeps', '')")
}
