import { rescale } from '../chains/amount.ts'
import { dollarDecimals, dollars } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { OutflowsContext } from './context.ts'
import { tokenDecimals } from './decimals.ts'
import type { PartnerFunds } from './outflowPartner.ts'
import type { TopUpPlace } from './settings.ts'
import { storeOutflow } from './storeOutflow.ts'
import { lockPartner, underWayAt } from './underWay.ts'

/** In millionths of a US dollar. */
export interface TopUpRule {
  place: TopUpPlace
  below: bigint
  to: bigint
}

/** A top-up that has not arrived by then may be lost: the next one is made, and a person is called. */
const missingAfterMs = 24 * 3_600_000

/**
 * Tops up a partner's account from the treasury where it has too little for payouts under way and to come. One top-up is under way at a time, from its row
 * until it is seen in the balance.
 */
export async function topUpPartner(ctx: OutflowsContext, name: string, rule: TopUpRule, funds: PartnerFunds): Promise<void> {
  const made = await ctx.db.tx(async (tx) => {
    await lockPartner(tx, name)
    await endTopUps(ctx, tx, name, funds)
    const [open] = await tx.query('select 1 from partner_top_ups where partner = $1 and ended_at is null', [name])
    if (open) return null
    const { maxCost } = await underWayAt(tx, name, funds.readAt)
    const free = funds.available - maxCost
    if (free >= rule.below) return null
    const { chain, token, address } = rule.place
    const amount = rescale({ value: rule.to - free, scale: dollarDecimals }, tokenDecimals(chain, token), 'up')
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
    await tx.query('insert into partner_top_ups (outflow_id, partner, available, under_way) values ($1, $2, $3, $4)', [
      outflow.id,
      name,
      String(funds.available),
      String(maxCost),
    ])
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
  available: string
  underWay: string
  /** What payouts have cost since it was made. */
  spent: string
  isOverdue: boolean
}

/**
 * Ends the open top-up where it failed, or where the balance has more than it could have without it: what it had, what payouts under way then may have
 * given back, less what others have cost since.
 */
async function endTopUps(ctx: OutflowsContext, tx: Tx, partner: string, { available, readAt }: PartnerFunds): Promise<void> {
  const [open] = await tx.query<OpenTopUp>(
    `select t.outflow_id as id, o.status, t.available::text, t.under_way::text as "underWay",
       coalesce((select sum(p.partner_cost) from outflows p where p.partner = t.partner and p.status = 'completed'
         and p.submitted_at >= t.made_at and p.completed_at < $2), 0)::text as spent,
       coalesce(o.completed_at < now() - $3 * interval '1 millisecond', false) as "isOverdue"
     from partner_top_ups t join outflows o on o.id = t.outflow_id where t.partner = $1 and t.ended_at is null for update of t`,
    [partner, readAt, missingAfterMs],
  )
  if (!open) return
  const outcome = outcomeOf(open, available)
  if (outcome === null) return
  if (outcome === 'missing') {
    ctx.partner?.alarm('top_up_missing')
    ctx.log.error(
      { outflow: open.id, partner },
      'a top-up has left the treasury and is not seen at the partner: see docs/runbooks/partner-money-does-not-match.md',
    )
  }
  await tx.query('update partner_top_ups set ended_at = now(), outcome = $2 where outflow_id = $1', [open.id, outcome])
}

function outcomeOf({ status, available: before, underWay, spent, isOverdue }: OpenTopUp, available: bigint): 'arrived' | 'failed' | 'missing' | null {
  if (status === 'failed' || status === 'cancelled') return 'failed'
  if (status !== 'completed') return null
  if (available > BigInt(before) + BigInt(underWay) - BigInt(spent)) return 'arrived'
  return isOverdue ? 'missing' : null
}
