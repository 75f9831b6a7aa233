import { tokenDecimals } from '../../chains/tokenDecimals.ts'
import { dollars } from '../../ledger/entry.ts'
import { post } from '../../ledger/post.ts'
import { dollarDecimals, rescale } from '../../money/amount.ts'
import { lockPartner } from '../../partnerPayments/lockPartner.ts'
import type { Tx } from '../../platform/database/db.ts'
import { failpoint } from '../../platform/failpoints.ts'
import { inMillionths } from '../../pricing/dollars.ts'
import type { OutflowsContext } from '../context.ts'
import type { TopUpPlace } from '../settings.ts'
import { storeOutflow } from '../storeOutflow.ts'
import { openAtPartner } from './openAtPartner.ts'
import type { PartnerFunds } from './outflowPartner.ts'

/** In millionths of a US dollar. */
export interface TopUpRule {
  place: TopUpPlace
  below: bigint
  to: bigint
}

/** A top-up that is not seen by then may be lost: an alarm is raised. */
export const lateAfterMs = 6 * 3_600_000

/**
 * Tops up a partner's account from the treasury where it has too little for payouts under way and to come.
 * One top-up is under way at a time, from its row until it is seen in the balance, has failed on the chain,
 * or an operator ends it.
 */
export async function topUpPartner(
  ctx: OutflowsContext,
  name: string,
  rule: TopUpRule,
  funds: PartnerFunds,
): Promise<void> {
  const made = await ctx.db.tx(async (tx) => {
    await lockPartner(tx, name)
    await endTopUps(ctx, tx, name, funds)
    const [open] = await tx.query('select 1 from partner_top_ups where partner = $1 and ended_at is null', [
      name,
    ])
    if (open) return null
    const { maxCost } = await openAtPartner(tx, name, funds.readAt)
    const free = funds.available - maxCost
    if (free >= rule.below) return null
    const { chain, token, address } = rule.place
    const amount = rescale(
      { value: rule.to - free, scale: dollarDecimals },
      tokenDecimals(chain, token),
      'up',
    )
    const { outflow, entries } = await storeOutflow(ctx.maker, tx, {
      kind: 'top_up',
      businessId: null,
      status: 'pending',
      chain,
      token,
      amount,
      wallet: { chain, token, address, memo: null, amount },
      bank: { partner: name, networkId: 'account', currency: dollars, price: null },
    })
    await tx.query(
      'insert into partner_top_ups (outflow_id, partner, available, under_way) values ($1, $2, $3, $4)',
      [outflow.id, name, String(funds.available), String(maxCost)],
    )
    await post(tx, entries)
    return outflow
  })
  if (!made) return
  ctx.log.info(
    { outflow: made.id, partner: name, amount: String(made.amount), chain: made.chain, token: made.token },
    'tops up the account at a partner',
  )
  failpoint('payouts.top-up-made')
}

interface OpenTopUp {
  id: string
  status: string
  chain: string
  token: string
  amount: string
  available: string
  underWay: string
  /** What payouts have cost since it was made, less what came back. */
  spent: string
  isLate: boolean
}

/**
 * Ends the open top-up where it failed, or is seen in the balance. One that is late keeps the next one back,
 * and raises an alarm.
 */
async function endTopUps(
  ctx: OutflowsContext,
  tx: Tx,
  partner: string,
  { available, readAt }: PartnerFunds,
): Promise<void> {
  const [open] = await tx.query<OpenTopUp>(
    `select t.outflow_id as id, o.status, o.chain, o.token, o.amount::text, t.available::text, t.under_way::text as "underWay",
       (coalesce((select sum(p.partner_cost) from outflows p where p.partner = t.partner and p.status in ('completed', 'returned')
         and p.completed_at >= t.made_at and p.completed_at < $2), 0)
       - coalesce((select sum(p.partner_returned) from outflows p where p.partner = t.partner and p.returned_at >= t.made_at), 0))::text as spent,
       coalesce(t.late_at is null and o.completed_at < now() - $3 * interval '1 millisecond', false) as "isLate"
     from partner_top_ups t join outflows o on o.id = t.outflow_id where t.partner = $1 and t.ended_at is null for update of t`,
    [partner, readAt, lateAfterMs],
  )
  if (!open) return
  const outcome = outcomeOf(open, available)
  if (outcome !== null) {
    await tx.query('update partner_top_ups set ended_at = now(), outcome = $2 where outflow_id = $1', [
      open.id,
      outcome,
    ])
  } else if (open.isLate) {
    await tx.query('update partner_top_ups set late_at = now() where outflow_id = $1', [open.id])
    ctx.partner?.alarm('top_up_missing')
    ctx.log.error(
      { outflow: open.id, partner },
      'a top-up has left the treasury and is not seen at the partner: see docs/runbooks/partner-money-does-not-match.md',
    )
  }
}

/**
 * It is seen where the balance has at least half of it above what it could have without it: what it had, and
 * what payouts under way then may have given back, less what payouts have cost since. A smaller rise may be a
 * payout that was returned.
 */
function outcomeOf(open: OpenTopUp, available: bigint): 'arrived' | 'failed' | null {
  const { status, underWay, spent } = open
  if (status === 'failed' || status === 'cancelled') return 'failed'
  if (status !== 'completed') return null
  const without = BigInt(open.available) + BigInt(underWay) - BigInt(spent)
  return 2n * (available - without) >= inMillionths({ ...open, amount: BigInt(open.amount) }, 'down')
    ? 'arrived'
    : null
}
