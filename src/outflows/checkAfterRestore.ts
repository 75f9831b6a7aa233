import type { Queryable, Tx } from '../platform/database/db.ts'
import type { BankContext, OutflowsContext } from './context.ts'
import { unaskedSql } from './ends/mayRelease.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockClaimed, type Outflow } from './outflow.ts'

const withoutPartnerMs = 60_000

/**
 * Queries the partner for a bank payout of before a restore, by our own id. One that the partner has left in
 * the lost time: it is `unknown`, and followed to its end. One that the partner does not have may leave, or
 * be given back, from then on.
 * @returns false if there is nothing to query
 */
export async function checkAfterRestore(ctx: OutflowsContext, outflow: Outflow): Promise<boolean> {
  if (!(await isUnasked(ctx.db, outflow))) return false
  const { partner } = ctx
  const isKnown = partner !== null && partner.payments.name === outflow.bank?.partner
  const hasIt = isKnown ? await isAtPartner({ ...ctx, partner }, outflow) : null
  await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (!now) return
    if (hasIt === null)
      return moveOutflow(ctx, tx, now, {
        reason: 'partner_unavailable',
        nextInMs: ctx.pollMs ?? withoutPartnerMs,
      })
    if (hasIt)
      return moveOutflow(ctx, tx, now, { status: 'unknown', reason: 'left_before_restore', nextInMs: 0 })
    return tx.query('update outflows set partner_asked_at = now(), next_at = now() where id = $1', [now.id])
  })
  ctx.observe(hasIt ? 'unknown' : 'waiting', outflow.kind)
  return true
}

async function isUnasked(db: Queryable, { id }: Outflow): Promise<boolean> {
  return (await db.query(`select 1 from outflows o where o.id = $1 and ${unaskedSql}`, [id])).length > 0
}

async function isAtPartner({ partner, log }: BankContext, { id }: Outflow): Promise<boolean> {
  const payment = await partner.payments.findPayment(id)
  if (!payment) return false
  partner.alarm('contradiction')
  log.error(
    { outflow: id, partnerPaymentId: payment.id },
    'a payout had left before the database was restored: it is followed at the partner',
  )
  return true
}

/**
 * Makes all that has not left due, when the operator has settled a restore: bank payouts are queried, and
 * releases that waited are tried again.
 */
export async function resumeAfterRestore(tx: Tx): Promise<void> {
  await tx.query(
    "update outflows set next_at = now() where status in ('awaiting_claim', 'awaiting_approval', 'pending') and (next_at > now() or release_waits)",
  )
  await tx.query("select pg_notify('cowry_payouts', '')")
}
