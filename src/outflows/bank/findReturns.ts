import type { BankContext } from '../context.ts'
import { readOutflows } from '../outflow.ts'
import { stepOutflow } from '../stepOutflow.ts'
import { meaningOf } from './nextOfPartner.ts'

export interface ReturnsContext extends BankContext {
  /** A bank may return a payout for so long after it was submitted. */
  returnDays: number
  signal: AbortSignal
  /** Resolves when the partner may get a request again, within its limit over all workers. */
  turn(): Promise<void>
}

const dayMs = 24 * 3_600_000
/** Clocks differ. */
const aheadMs = 15 * 60_000
const perPage = 100

/**
 * Reads the partner's list of payments as far back as banks return them, and reads by our own id each
 * completed payout that the list shows as unpaid: that answer makes it `returned`.
 * @returns how many are returned now
 * @throws PartnerError
 */
export async function findReturns(ctx: ReturnsContext): Promise<number> {
  const now = Date.now()
  const [from, to] = [new Date(now - ctx.returnDays * dayMs), new Date(now + aheadMs)]
  let found = 0
  for (let startAt = 0; !ctx.signal.aborted; startAt += perPage) {
    await ctx.turn()
    const page = await ctx.partner.payments.listPayments({ by: 'createdAt', from, to, startAt, perPage })
    found += await confirmReturns(
      ctx,
      page.flatMap(({ id, status }) => (meaningOf(status) === 'unpaid' ? id : [])),
    )
    if (page.length < perPage) break
  }
  return found
}

/** @param unpaid the partner's ids of payments */
async function confirmReturns(ctx: ReturnsContext, unpaid: readonly string[]): Promise<number> {
  if (unpaid.length === 0) return 0
  let found = 0
  for (const { id } of await completedOnes(ctx, unpaid)) {
    await ctx.turn()
    await ctx.db.query("update outflows set next_at = now() where id = $1 and status = 'completed'", [id])
    await stepOutflow(ctx, id)
    const [after] = await readOutflows(ctx.db, 'id = $1', [id])
    if (after?.status === 'returned') found++
    else
      ctx.log.error(
        { outflow: id },
        'the list of the partner shows a completed payout as unpaid, and its own answer does not confirm it',
      )
  }
  return found
}

/** Not those that an operator has ended: they are compared, and no money of them moves. */
const completedOnes = ({ db, partner }: ReturnsContext, unpaid: readonly string[]) =>
  readOutflows(
    db,
    "partner = $1 and status = 'completed' and ended_by is null and partner_payment_id = any($2)",
    [partner.payments.name, unpaid],
  )
