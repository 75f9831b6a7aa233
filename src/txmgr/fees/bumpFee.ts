import { ProviderError } from '../../chains/chain.ts'
import type { FeeStanding, MarketPrice } from '../../chains/sending.ts'
import { failpoint } from '../../platform/failpoints.ts'
import { type Attempt, insertRequest, isRefusedAlways, liveAttempts, readAttempts } from '../attempts.ts'
import { bumpAfter, reconcileEvery, type SendingChain, type TxManagerContext } from '../context.ts'
import { fillGap } from '../fillGap.ts'
import { isHeld } from '../hold.ts'
import { type Intent, isOwnSigner, lockIntent } from '../intents.ts'
import { affordableFee } from './affordableFee.ts'
import { feeLimits, feeStop } from './feeLimits.ts'
import { endFeeWait, startFeeWait } from './markFeeWait.ts'

/**
 * Bounds the rows of an intent. Each step follows the market, so six are enough for a price that rises by any
 * factor.
 */
const maxReplacements = 6

/**
 * Returns the attempt to send in place of one that is stuck, because it has waited too long: one with a higher fee at the same
 * nonce, or the same bytes where the next block could include them. With a caller's key attempts with higher
 * fees were signed at the start; where the treasury signs, one is requested, which a later reconcile
 * finds.
 */
export async function bumpFee(
  ctx: TxManagerContext,
  sending: SendingChain,
  row: Intent,
  attempts: readonly Attempt[],
): Promise<Attempt | null> {
  const { chain, builder, sender } = sending
  // A bump that the network refused has no bytes: the next one does not rise above it.
  const last = attempts.findLast((each) => each.sends > 0 && each.signed !== null)
  const next = attempts.find((each) => each.sends === 0 && each.number > (last?.number ?? -1))
  if (!last || !builder.replaceFee || last.nonce === null) return null
  // A higher fee would replace a transaction that the owner of the address sent with another wallet.
  if (last.nonceTaken) return null
  if (next && isOwnSigner(row.signer)) return next.signed ? next : null
  const waitedMs = waitedFor(attempts, last)
  if (waitedMs < waitBeforeBump(ctx, chain, last, attempts, 'excluded')) return null
  if (await waitsForAnother(ctx, row, last.nonce)) return null
  const market = await marketNow(ctx, sending, row)
  const standing = market ? (builder.feeStanding?.(last.terms, market) ?? 'below') : 'below'
  if (standing !== 'excluded' && !isRefusedAlways(last)) await endFeeWait(ctx, row)
  // The next block could include it: a node may have lost it.
  const again = standing === 'excluded' ? null : last
  if (waitedMs < waitBeforeBump(ctx, chain, last, attempts, standing)) return again
  const lowest = await sender.nextNonce?.(row.action.from)
  if (lowest !== undefined && lowest < last.nonce) {
    await fillGap(ctx, sending, row, lowest)
    return null
  }
  if (next) {
    ctx.observe('bumped', row.chain)
    return next.signed ? next : null
  }
  // The price that its owner named is that of the transfer, not of the no-op that cancels it.
  if (isOwnSigner(row.signer) && (row.action.gasPrice === null || last.cancels) && market)
    await requestBump(ctx, sending, row, attempts, { last, market, standing })
  return again
}

/** Bumps that the network refused, not for their price: the sender could not pay them. */
const refusedAfter = (attempts: readonly Attempt[], last: Attempt): Attempt[] =>
  attempts.filter((each) => each.number > last.number && each.sends > 0 && each.signed === null)

/** Time since the last attempt was accepted or, if nodes refused later ones, since the newest was signed. */
const waitedFor = (attempts: readonly Attempt[], last: Attempt): number =>
  Date.now() -
  Math.max((last.acceptedAt ?? last.createdAt).getTime(), attempts.at(-1)?.createdAt.getTime() ?? 0)

/**
 * How long an attempt waits until its fee is bumped. One that pays enough waits longest: its node may have
 * lost it, or the market's price is not that of its nodes. Refused bumps make the next one wait longer.
 */
function waitBeforeBump(
  ctx: TxManagerContext,
  chain: SendingChain['chain'],
  last: Attempt,
  attempts: readonly Attempt[],
  standing: FeeStanding,
): number {
  const usual = bumpAfter(ctx, chain)
  const refused = refusedAfter(attempts, last).length
  if (standing === 'excluded')
    return (1 + refused) * (isRefusedAlways(last) ? Math.min(reconcileEvery(ctx, chain), usual) : usual / 3)
  return (1 + refused) * (standing === 'below' ? usual : 3 * usual)
}

/** Null if no node reports it: it is read again at the next reconcile. */
const marketNow = (
  ctx: TxManagerContext,
  { sender }: SendingChain,
  row: Intent,
): Promise<MarketPrice | null> =>
  Promise.resolve(sender.market?.() ?? null).catch((error) => {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ intent: row.id, chain: row.chain, err: error.message }, 'no node reports the price of gas')
    return null
  })

interface Wanted {
  last: Attempt
  market: MarketPrice
  standing: FeeStanding
}

/** Requests an attempt with a higher fee, up to the limits of the chain and of the sender's balance. */
async function requestBump(
  ctx: TxManagerContext,
  sending: SendingChain,
  row: Intent,
  attempts: readonly Attempt[],
  wanted: Wanted,
): Promise<void> {
  const { last, market, standing } = wanted
  const { builder, chain } = sending
  const { ceiling } = await feeLimits(ctx.db, chain)
  // A signature is deterministic: the same terms would make the transaction that was refused.
  const variant = refusedAfter(attempts, last).length
  const bumps = attempts.filter((each) => each.signed !== null && each.cancels === last.cancels).length - 1
  // The treasury would refuse more.
  const allowed = bumps < maxReplacements ? builder.replaceFee?.(last.terms, market, ceiling, variant) : null
  if (!allowed) {
    if (standing === 'excluded')
      await startFeeWait(
        ctx,
        row,
        bumps < maxReplacements ? 'its fee is at the limit' : 'its fee was bumped six times',
      )
    return
  }
  const affordable = (await affordableFee(ctx, sending, row, last.cancels)) ?? ceiling
  const terms =
    builder.maxFee(allowed) <= affordable
      ? allowed
      : builder.replaceFee?.(last.terms, market, affordable, variant)
  if (!terms) {
    ctx.observe('unaffordable', row.chain)
    ctx.log.warn(
      { intent: row.id, chain: row.chain, from: row.action.from },
      'the sender cannot pay for a higher fee',
    )
    return
  }
  // The budget has no room for it.
  if ((await feeStop(ctx.db, chain, row.id, builder.maxFee(terms))) !== null) return
  const asked = await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (
      now?.reconciles !== row.reconciles ||
      liveAttempts(await readAttempts(tx, row.id)).length !== attempts.length
    )
      return false
    if (await isHeld(ctx, tx, row)) return false
    if (now.isCancelled && !last.cancels) return false
    await insertRequest(tx, row, { nonce: last.nonce, terms, cancels: last.cancels }, ctx.prover)
    return true
  })
  if (asked) ctx.observe('bumped', row.chain)
  failpoint('txmgr.bumped')
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
