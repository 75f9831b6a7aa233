import type { BankContext } from '../context.ts'
import { moveOutflow } from '../moveOutflow.ts'
import { lockClaimed, type Outflow } from '../outflow.ts'
import { recordPriceChanged } from '../recordOutflowEvents.ts'
import type { Priced } from './priceForBank.ts'
import { needsConfirmation } from './priceRules.ts'
import { provePrice } from './provePrice.ts'

/** Between two reads of the rate, which may rise again; a confirmation makes it due. */
const lookMs = 60_000

const isWaiting = ({ partner }: BankContext, { bank }: Outflow): boolean =>
  bank?.price != null && needsConfirmation(bank.price, partner.prices)

/**
 * Lets a claimed bank payout wait until its price is confirmed, with an event; of an automatic one, with an
 * alarm.
 * @param priced the price to confirm; null: the one that it has
 */
export async function awaitConfirmation(
  ctx: BankContext,
  outflow: Outflow,
  priced: Priced | null,
): Promise<void> {
  const begins = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (now?.status !== 'pending') return null
    const change = { reason: 'price_changed', nextInMs: ctx.pollMs ?? lookMs }
    const after = await moveOutflow(ctx, tx, now, {
      ...change,
      ...(priced && { priced: provePrice(ctx.maker, now, priced) }),
    })
    if (!priced || isWaiting(ctx, now)) return false
    await recordPriceChanged(ctx, tx, after)
    return true
  })
  if (begins === null) return
  ctx.observe('waiting', outflow.kind)
  if (!begins) return
  if (outflow.automatic) ctx.partner.alarm('price_changed')
  const was = String(outflow.bank?.price?.agreedAmount)
  ctx.log.warn(
    { outflow: outflow.id, was, is: String(priced?.price.localAmount) },
    'a payout would pay less than was agreed to: it waits',
  )
}
