import { type ActionPlan, ActionRefused } from '../chains/sending.ts'
import { failpoint } from '../platform/failpoints.ts'
import { type Attempt, insertRequest, liveAttempts, readAttempts, voidAttempts } from './attempts.ts'
import { bumpFee } from './bumpFee.ts'
import { bumpAfter, type SendingChain, type TxManagerContext } from './context.ts'
import { isHeld } from './hold.ts'
import { type Intent, lockIntent } from './intents.ts'
import { noopOf } from './noop.ts'

/**
 * Returns the no-op that takes the place of a cancelled intent's transactions at their nonce, with a fee that replaces them; asks the treasury for
 * it first. The intent's own transactions are not sent again; one of them may be mined all the same. On chains without replacement they expire.
 */
export async function cancelSent(ctx: TxManagerContext, sending: SendingChain, row: Intent, live: readonly Attempt[]): Promise<Attempt | null> {
  const last = live.findLast((each) => each.sends > 0)
  if (!last || last.nonce === null || !sending.builder.replace) return null
  const noop = live.findLast(({ cancels }) => cancels)
  const isRefused = noop !== undefined && noop.sent !== null && noop.signed === null
  if (noop && !isRefused) return noop.sends > 0 ? bumpFee(ctx, sending, row, live) : noop.signed && noop
  if (noop && Date.now() - noop.createdAt.getTime() < bumpAfter(ctx, sending.chain)) return null
  await request(ctx, sending, row, live, last)
  return null
}

async function request(
  ctx: TxManagerContext,
  { chain, builder, sender }: SendingChain,
  row: Intent,
  live: readonly Attempt[],
  { nonce, terms: replaced }: Attempt,
): Promise<void> {
  const plan = await sender.plan(noopOf(row.action.from)).catch((error): ActionRefused => {
    if (error instanceof ActionRefused) return error
    throw error
  })
  const terms = plan instanceof ActionRefused ? null : termsOf(builder, replaced, plan)
  if (terms === null || builder.maxFee(terms) > chain.maxFee) {
    const why = plan instanceof ActionRefused ? plan.message : 'the fee would be above the limit'
    ctx.log.warn({ intent: row.id, chain: row.chain, why }, 'a cancelled transfer cannot be replaced at its nonce now')
    return
  }
  const asked = await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    const attempts = liveAttempts(await readAttempts(tx, row.id))
    if (now?.reconciles !== row.reconciles || attempts.length !== live.length || (await isHeld(ctx, tx, row))) return false
    // A higher fee for the intent itself: never sent.
    const unsent = attempts.filter(({ sends }) => sends === 0).map(({ number }) => number)
    await voidAttempts(tx, row.id, unsent, 'cancelled')
    await insertRequest(tx, row, { nonce, terms, cancels: true }, ctx.prover)
    return true
  })
  if (asked) failpoint('txmgr.cancelled')
}

const termsOf = ({ replace }: SendingChain['builder'], replaced: Attempt['terms'], plan: ActionPlan) => replace?.(replaced, plan.terms) ?? null
