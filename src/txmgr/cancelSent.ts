import { ActionRefusedError } from '../chains/sending.ts'
import { resultOr } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { type Attempt, insertRequest, liveAttempts, readAttempts, voidAttempts } from './attempts.ts'
import { bumpAfter, type SendingChain, type TxManagerContext } from './context.ts'
import { bumpFee } from './fees/bumpFee.ts'
import { feeLimits, feeStop } from './fees/feeLimits.ts'
import { isHeld } from './hold.ts'
import { type Intent, lockIntent } from './intents.ts'
import { noopOf } from './noop.ts'

/**
 * Returns the no-op that takes the place of a cancelled intent's transactions at their nonce, with a fee that
 * replaces them; requests it from the treasury first. The intent's own transactions are not sent again; one
 * of them may be mined all the same. On chains without replacement they expire.
 */
export async function cancelSent(
  ctx: TxManagerContext,
  sending: SendingChain,
  row: Intent,
  live: readonly Attempt[],
): Promise<Attempt | null> {
  const sent = live.filter((each) => each.sends > 0)
  // No node has one that was refused.
  const last = sent.findLast(({ signed }) => signed !== null) ?? sent.at(-1)
  if (!last || last.nonce === null || !sending.builder.replace) return null
  const noops = live.filter(({ cancels }) => cancels)
  const noop = noops.findLast(({ sent: made, signed }) => made === null || signed !== null)
  if (noop) return noop.sends > 0 ? bumpFee(ctx, sending, row, live) : noop.signed && noop
  const refused = noops.at(-1)
  if (refused && Date.now() - refused.createdAt.getTime() < bumpAfter(ctx, sending.chain)) return null
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
  const plan = await resultOr(ActionRefusedError, sender.plan(noopOf(row.action.from)))
  const cannot = (why: string) =>
    ctx.log.warn(
      { intent: row.id, chain: row.chain, why },
      'a cancelled transfer cannot be replaced at its nonce now',
    )
  if (plan instanceof ActionRefusedError) return cannot(plan.message)
  const terms = builder.replace?.(replaced, plan.terms, (await feeLimits(ctx.db, chain)).ceiling)
  const stop = terms ? await feeStop(ctx.db, chain, row.id, builder.maxFee(terms)) : 'ceiling'
  if (!terms || stop !== null) return cannot(`the fee would be above the ${stop}`)
  const asked = await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    const attempts = liveAttempts(await readAttempts(tx, row.id))
    if (now?.reconciles !== row.reconciles || attempts.length !== live.length || (await isHeld(ctx, tx, row)))
      return false
    // A higher fee for the intent itself: never sent.
    const unsent = attempts.filter(({ sends }) => sends === 0).map(({ number }) => number)
    await voidAttempts(tx, row.id, unsent, 'cancelled')
    await insertRequest(tx, row, { nonce, terms, cancels: true }, ctx.prover)
    return true
  })
  if (asked) failpoint('txmgr.cancelled')
}
