import type { Db, Queryable } from '../platform/database/db.ts'
import { readIntents } from '../txmgr/intents.ts'
import { meaningOf, nextOfPartner } from './bank/nextOfPartner.ts'
import type { OutflowsContext } from './context.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockClaimed, type Outflow } from './outflow.ts'

/** After that nothing is expected of chain or partner any more. */
const followedForMs = 30 * 24 * 3_600_000
const [minMs, maxMs] = [30_000, 3_600_000]

type Answer = 'agrees' | 'contradicts' | 'open'

/**
 * Compares the reports of chain and partner about an outflow with those of the operator who ended it. It
 * moves no money: where they contradict the operator it may have been paid twice, or not at all, which only a
 * person can settle.
 */
export async function followEnded(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  const answer =
    outflow.wallet === null ? await answerOfPartner(ctx, outflow) : await answerOfChain(ctx.db, outflow)
  const stored = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (!now) return false
    const isAlarm = answer === 'contradicts' && now.contradictedAt === null
    await moveOutflow(ctx, tx, now, {
      ...(isAlarm && { contradictedAt: new Date() }),
      nextInMs: answer === 'open' ? nextInMs(ctx, now) : null,
    })
    return isAlarm
  })
  if (!stored) return
  ctx.observe('contradicted', outflow.kind)
  const { id, status, byHand, intentId, partnerPaymentId } = outflow
  ctx.log.error(
    { outflow: id, status, endedBy: byHand?.by, intent: intentId, partnerPaymentId },
    'chain or partner contradict the operator who ended an outflow: see docs/runbooks/a-payout-is-unknown.md',
  )
}

/** A quarter of the time since it was ended. */
function nextInMs({ pollMs }: Pick<OutflowsContext, 'pollMs'>, { updatedAt }: Outflow): number | null {
  const age = Date.now() - updatedAt.getTime()
  if (age > followedForMs) return null
  return pollMs ?? Math.min(maxMs, Math.max(minMs, Math.round(age / 4)))
}

async function answerOfPartner(
  { partner }: OutflowsContext,
  { id, status, partnerPaymentId, bank }: Outflow,
): Promise<Answer> {
  if (!partner || partner.payments.name !== bank?.partner) return 'open'
  const payment =
    partnerPaymentId === null
      ? await partner.payments.findPayment(id)
      : await partner.payments.payment(partnerPaymentId)
  if (!payment) return status === 'completed' ? 'contradicts' : 'open'
  const next = nextOfPartner(status, payment.status)
  if (next.alarm === 'contradiction' || next.status === 'returned') return 'contradicts'
  return meaningOf(payment.status) === (status === 'completed' ? 'paid' : 'unpaid') ? 'agrees' : 'open'
}

async function answerOfChain(db: Db, { status, intentId, byHand }: Outflow): Promise<Answer> {
  const [intent] = intentId === null ? [] : await readIntents(db, 'id = $1', [intentId])
  if (!intent) return 'agrees'
  if (intent.status === 'confirmed' && (status === 'failed' || intent.txId !== byHand?.txId))
    return 'contradicts'
  if (!intent.settled) return 'open'
  const isUnpaid =
    intent.status !== 'confirmed' &&
    status === 'completed' &&
    (await isOfIntent(db, intent.id, byHand?.txId ?? ''))
  return isUnpaid ? 'contradicts' : 'agrees'
}

/** True for a transaction that the platform made for the intent. */
export const isOfIntent = async (db: Queryable, intentId: string, txId: string): Promise<boolean> =>
  (await db.query('select 1 from intent_attempts where intent_id = $1 and tx_id = $2', [intentId, txId]))
    .length > 0
