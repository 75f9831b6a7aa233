import { failpoint } from '../platform/failpoints.ts'
import { type Attempt, insertRequest, liveAttempts, readAttempts } from './attempts.ts'
import { bumpAfter, type SendingChain, type TxManagerContext } from './context.ts'
import { feeStop } from './feeLimits.ts'
import { fillGap } from './fillGap.ts'
import { isHeld } from './hold.ts'
import { type Intent, isOurs, lockIntent } from './intents.ts'

/** Each pays half as much again: the seventh pays more than eleven times the first fee. */
const maxReplacements = 6

/**
 * Returns the attempt with a higher fee, at the same nonce, that replaces one that has waited too long. With a caller's key these were signed at
 * the beginning; where the treasury signs it is asked for one, which a later reconcile finds.
 */
export async function bumpFee(ctx: TxManagerContext, sending: SendingChain, row: Intent, transactions: readonly Attempt[]): Promise<Attempt | null> {
  const { chain, builder, sender } = sending
  const last = transactions.findLast((each) => each.sends > 0)
  const next = transactions.find((each) => each.sends === 0 && each.number > (last?.number ?? -1))
  if (!last || !builder.bumpFee || last.nonce === null) return null
  // A higher fee would replace a transaction that the owner of the address sent with another wallet.
  if (last.nonceTaken) return null
  if (next && isOurs(row.signer)) return next.signed ? next : null
  // An attempt that no node accepted may have too low a fee by now.
  if (Date.now() - (last.acceptedAt ?? last.createdAt).getTime() < bumpAfter(ctx, chain)) return null
  if (await waitsForAnother(ctx, row, last.nonce)) return null
  const lowest = await sender.nextNonce?.(row.action.from)
  if (lowest !== undefined && lowest < last.nonce) {
    await fillGap(ctx, sending, row, lowest)
    return null
  }
  if (next) {
    ctx.observe('bumped', row.chain)
    return next.signed ? next : null
  }
  if (!isOurs(row.signer) || last.number >= maxReplacements) return null
  const terms = builder.bumpFee(last.terms)
  // The treasury would refuse it.
  if (await feeStop(ctx.db, chain, row.id, builder.maxFee(terms))) return null
  const asked = await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (now?.reconciles !== row.reconciles || liveAttempts(await readAttempts(tx, row.id)).length !== transactions.length) return false
    if (await isHeld(ctx, tx, row)) return false
    if (now.isCancelled && !last.cancels) return false
    await insertRequest(tx, row, { nonce: last.nonce, terms, cancels: last.cancels }, ctx.prover)
    return true
  })
  if (asked) ctx.observe('bumped', row.chain)
  failpoint('txmgr.bumped')
  return null
}

/** A higher fee does not help while an earlier nonce of the address waits. */
async function waitsForAnother(ctx: TxManagerContext, row: Intent, nonce: bigint): Promise<boolean> {
  const rows = await ctx.db.query(
    `select 1 from intent_nonces s join intents o on o.id = s.intent_id
     where s.chain = $1 and s.address = $2 and s.nonce < $3 and o.block_height is null and o.next_reconcile_at is not null limit 1`,
    [row.chain, row.action.from, nonce.toString()],
  )
  return rows.length > 0
}
