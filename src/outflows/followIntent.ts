import type { Db, Queryable } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { bookIntent } from '../txmgr/bookIntent.ts'
import { lockIntent, readIntents } from '../txmgr/intents.ts'
import { wasSigned } from '../txmgr/wasSigned.ts'
import type { OutflowStep, OutflowsContext } from './context.ts'
import { moveOutflow, type OutflowChange } from './moveOutflow.ts'
import { type IntentFacts, type NextOutflow, nextOutflow } from './nextOutflow.ts'
import { lockClaimed, type Outflow, type OutflowStatus } from './outflow.ts'
import { screenClaimed } from './screening/screenClaimed.ts'
import { followMs } from './sendToWallet.ts'

/** Finality takes much longer than confirmation; who can end a doubt takes longer still. */
const slowMs = 4 * followMs
/** Where the chain reports no more: until an operator has ended it. */
const stuckMs = 3_600_000
/** After each shortage it waits twice as long. */
const [minRetryMs, maxRetryMs] = [30_000, 3_600_000]

/** Follows the intent of an outflow to its end. */
export async function followIntent(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  if (outflow.intentId !== null && outflow.status === 'completed') await bookAgain(ctx.db, outflow.intentId)
  await screenClaimed(ctx, outflow)
  const change = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (!now) return null
    const facts = now.intentId === null ? null : await factsOf(tx, now.intentId)
    // Paid in another way.
    const next =
      facts === null
        ? { status: now.status, reason: null, isOver: true }
        : orUnserved(ctx, now, nextOutflow(now, facts))
    const isStuck = next.status === 'unknown' && facts?.settled === true
    const nextInMs = isStuck ? (ctx.pollMs ?? stuckMs) : whenNext(ctx, now, next)
    if (isStuck) ctx.log.error({ outflow: now.id, intent: now.intentId, reason: next.reason }, stuck)
    if (next.status === now.status) {
      await moveOutflow(ctx, tx, now, { nextInMs })
      return null
    }
    const tries = next.status === 'pending' ? now.tries + 1 : now.tries
    await moveOutflow(ctx, tx, now, { ...changeTo(next.status, now), reason: next.reason, tries, nextInMs })
    return { from: now.status, ...next }
  })
  if (change === null) return
  report(ctx, outflow, change)
  failpoint('payouts.intent-settled')
}

const stuck =
  'the chain never shows if an outflow has left: end it by hand (docs/runbooks/a-payout-does-not-leave.md)'

/**
 * No worker follows an intent on a chain that this deployment does not have: only an operator can end its
 * outflow.
 */
function orUnserved({ chains }: OutflowsContext, { wallet }: Outflow, next: NextOutflow): NextOutflow {
  if (next.status !== 'processing' || chains.some(({ name }) => name === wallet?.chain)) return next
  return { status: 'unknown', reason: 'chain_unavailable', isOver: false }
}

function changeTo(status: OutflowStatus, before: Outflow): OutflowChange {
  if (status !== 'failed' && status !== 'cancelled') return { status }
  return { status, release: before.status === 'completed' ? 'taken_back' : 'chain_failed' }
}

async function factsOf(db: Queryable, intentId: string): Promise<IntentFacts> {
  const [intent] = await readIntents(db, 'id = $1', [intentId])
  if (!intent) throw new Error(`intent ${intentId} is gone`)
  return {
    ...intent,
    wasSigned: await wasSigned(db, intentId),
    forMs: Date.now() - intent.updatedAt.getTime(),
  }
}

/** Null: never. A change of its intent resumes it all the same. */
function whenNext(
  { pollMs }: OutflowsContext,
  { tries }: Outflow,
  { status, isOver }: NextOutflow,
): number | null {
  if (isOver) return null
  if (status === 'pending') return pollMs ?? Math.min(minRetryMs * 2 ** tries, maxRetryMs)
  return pollMs ?? (status === 'processing' ? followMs : slowMs)
}

/** A fork may have moved the transaction to another block, at another price. */
const bookAgain = (db: Db, intentId: string): Promise<void> =>
  db.tx(async (tx) => {
    const row = await lockIntent(tx, intentId)
    if (row?.settled) await bookIntent(tx, row, null)
  })

const steps: Partial<Record<OutflowStatus, OutflowStep>> = {
  completed: 'completed',
  failed: 'failed',
  unknown: 'unknown',
  pending: 'retried',
}

function report(
  ctx: OutflowsContext,
  { id, kind, intentId }: Outflow,
  { from, status, reason }: NextOutflow & { from: OutflowStatus },
): void {
  const step = from === 'completed' ? 'taken_back' : steps[status]
  if (step) ctx.observe(step, kind)
  const about = { outflow: id, intent: intentId, reason }
  if (from === 'completed') ctx.log.error(about, 'the chain has taken a completed outflow back')
  else if (status === 'unknown') ctx.log.error(about, 'it is not known if an outflow has left')
  else if (status === 'failed') ctx.log.warn(about, 'an outflow failed; its money is given back')
}
