import type { NewEvent } from '../events/recordEvents.ts'
import type { Entry } from '../ledger/entry.ts'
import { mayRelease } from '../outflows/ends/mayRelease.ts'
import { changeOutflow } from '../outflows/moveOutflow.ts'
import { lockOutflow, type OutflowStatus } from '../outflows/outflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import { reversedReason } from '../outflows/outflowSource.ts'
import type { Tx } from '../platform/database/db.ts'
import type { RefundRecord } from './readRefunds.ts'
import type { Payment } from './settle.ts'

const open: readonly OutflowStatus[] = ['awaiting_claim', 'awaiting_approval', 'pending']
const isOver = ({ status }: RefundRecord) => status === 'failed' || status === 'cancelled'

/**
 * Cancels refunds of which nothing has left, where a fork took away what they give back: the newest first,
 * until what came is enough for the others. Their money is free before the payments are taken back, so that
 * the business owes nothing for them. What the database's restore keeps is ended by its worker. A refund of
 * an excess needs the requested amount in addition.
 * @param expected the session's amount, in base units
 * @returns the entries that release it, its events, and the refunds as they are then
 */
export async function cancelReversed(
  ctx: OutflowEventContext,
  tx: Tx,
  expected: bigint,
  payments: readonly Payment[],
  refunds: readonly RefundRecord[],
): Promise<{ entries: Entry[]; events: NewEvent[]; refunds: RefundRecord[] }> {
  const entries: Entry[] = []
  const events: NewEvent[] = []
  const gone = new Set<string>()
  for (const refund of refunds.filter(({ status }) => open.includes(status))) {
    if (missing(payments, refunds, refund, gone) + (refund.kind === 'excess' ? expected : 0n) <= 0n) continue
    const outflow = await lockOutflow(tx, refund.id)
    if (!outflow || !open.includes(outflow.status) || !(await mayRelease(tx, outflow))) continue
    const change = { status: 'cancelled', release: 'payment_reversed', reason: reversedReason } as const
    const { after, entries: given } = await changeOutflow(tx, outflow, change)
    entries.push(...given)
    events.push(...(await ctx.outflowEvents.changed(tx, outflow, after)))
    gone.add(refund.id)
  }
  return {
    entries,
    events,
    refunds: refunds.map((refund) => (gone.has(refund.id) ? { ...refund, status: 'cancelled' } : refund)),
  }
}

/** By how much the refunds of an asset exceed what came of it. */
function missing(
  payments: readonly Payment[],
  refunds: readonly RefundRecord[],
  { chain, token }: RefundRecord,
  gone: ReadonlySet<string>,
): bigint {
  const sum = (amounts: readonly { amount: bigint }[]) =>
    amounts.reduce((all, { amount }) => all + amount, 0n)
  const isSame = (each: { chain: string; token: string }) => each.chain === chain && each.token === token
  const came = sum(payments.filter((payment) => isSame(payment) && payment.status === 'confirmed'))
  return sum(refunds.filter((refund) => isSame(refund) && !isOver(refund) && !gone.has(refund.id))) - came
}
