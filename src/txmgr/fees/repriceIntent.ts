import type { Chain } from '../../chains/registry.ts'
import type { ActionBuilder, Repricing, Terms } from '../../chains/sending.ts'
import { formatUnits } from '../../money/amount.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { failpoint } from '../../platform/failpoints.ts'
import { type Attempt, insertRequest, liveAttempts, readAttempts } from '../attempts.ts'
import type { SendingChain, TxManagerContext } from '../context.ts'
import { isHeld } from '../hold.ts'
import { lockOperated } from '../holdIntent.ts'
import { type Intent, isOwnSigner, lockIntent } from '../intents.ts'
import { feeTooHigh } from '../requestSignature.ts'
import { type FeeSettings, feeLimits, feeStop } from './feeLimits.ts'

/** A price per unit of gas in base units, or a multiple of the present one in percent. */
export type WantedPrice = { price: bigint } | { percent: bigint }

/** A request that is not signed is repeated; not without end. */
const maxRequests = 3

/**
 * Sets the minimum price of an intent that was sent; the worker then replaces the transaction, at the same
 * nonce.
 * @returns the price before and after
 * @throws ApiError 404; 409 `transfer_not_ours`, `transfer_ended`, `transfer_cancelled`, `transfer_not_sent`,
 * `transfer_not_replaceable`; 422 `price_too_low`, `fee_too_high`
 */
export async function repriceIntent(
  tx: Tx,
  chain: FeeSettings & Pick<Chain, 'native'>,
  builder: Pick<ActionBuilder, 'repricing' | 'maxFee'>,
  id: string,
  wanted: WantedPrice,
): Promise<{ row: Intent; before: bigint; after: bigint }> {
  const row = await lockOperated(tx, id)
  if (row.isCancelled)
    throw new ApiError(
      409,
      'transfer_cancelled',
      'The transfer is cancelled: a no-op takes its nonce, and its fee follows the market',
    )
  const { repricing } = builder
  if (!repricing)
    throw new ApiError(
      409,
      'transfer_not_replaceable',
      `A transaction of ${row.chain} cannot be replaced: it expires, and is signed again`,
    )
  const last = lastSent(liveAttempts(await readAttempts(tx, id)))
  if (!last)
    throw new ApiError(409, 'transfer_not_sent', 'Nothing of it was sent: it is planned at the present price')
  if (last.nonceTaken)
    throw new ApiError(
      409,
      'transfer_not_replaceable',
      'The owner of the address has sent another transaction with its nonce, which this would replace',
    )
  const before = repricing.priceOf(last.terms)
  const after = 'price' in wanted ? wanted.price : (before * wanted.percent + 99n) / 100n
  const min = repricing.minPrice(last.terms)
  if (after < min)
    throw new ApiError(
      422,
      'price_too_low',
      `Nodes replace a transaction only by one that pays an eighth more: ${showPrice(min)} or more`,
    )
  await requireAllowed(tx, chain, builder, row, repricing.at(last.terms, after))
  await tx.query('update intents set min_price = $2, next_reconcile_at = now() where id = $1', [
    id,
    after.toString(),
  ])
  await tx.query("select pg_notify('cowry_intents', '')")
  return { row, before, after }
}

async function requireAllowed(
  tx: Tx,
  chain: FeeSettings & Pick<Chain, 'native'>,
  builder: Pick<ActionBuilder, 'maxFee'>,
  { id }: Intent,
  terms: Terms,
): Promise<void> {
  const fee = builder.maxFee(terms)
  const stop = await feeStop(tx, chain, id, fee)
  if (stop === 'ceiling')
    throw new ApiError(422, 'fee_too_high', feeTooHigh(chain, (await feeLimits(tx, chain)).ceiling, fee))
  if (stop === 'budget')
    throw new ApiError(
      422,
      'fee_too_high',
      `The budget of fees on ${chain.name} has no room for it (npm run cowry -- fees)`,
    )
}

/** In gwei, as people name prices of gas. */
export const showPrice = (price: bigint): string => `${formatUnits(price, 9)} gwei`

const lastSent = (attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.findLast((each) => each.sends > 0)

/**
 * @returns the attempt at the operator's price, once it is signed; before that it is requested, and the
 * answer is null
 */
export async function repricedAttempt(
  ctx: TxManagerContext,
  { chain, builder }: SendingChain,
  row: Intent,
  live: readonly Attempt[],
): Promise<Attempt | null> {
  const { repricing } = builder
  const { minPrice } = row
  const last = lastSent(live)
  if (
    !repricing ||
    minPrice === null ||
    !isOwnSigner(row.signer) ||
    !last ||
    last.nonce === null ||
    last.nonceTaken
  )
    return null
  const paid = live.find((each) => repricing.priceOf(each.terms) >= minPrice)
  if (paid) return paid.sends === 0 && paid.signed ? paid : null
  // Another bump may be under way; and the present terms may pay more than those at the time of the command.
  if (last !== live.at(-1) || minPrice < repricing.minPrice(last.terms)) return null
  const terms = repricing.at(last.terms, minPrice)
  if (await feeStop(ctx.db, chain, row.id, builder.maxFee(terms))) return null
  const asked = await request(ctx, row, live.length, { nonce: last.nonce, terms }, repricing, minPrice)
  if (asked) ctx.observe('bumped', row.chain)
  failpoint('txmgr.bumped')
  return null
}

const request = (
  ctx: TxManagerContext,
  row: Intent,
  liveCount: number,
  wanted: { nonce: bigint; terms: Terms },
  repricing: Repricing,
  minPrice: bigint,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    const attempts = await readAttempts(tx, row.id)
    if (
      now?.reconciles !== row.reconciles ||
      liveAttempts(attempts).length !== liveCount ||
      (await isHeld(ctx, tx, row))
    )
      return false
    if (
      attempts.filter((each) => each.isVoid && repricing.priceOf(each.terms) >= minPrice).length >=
      maxRequests
    )
      return false
    await insertRequest(tx, row, wanted, ctx.prover)
    return true
  })
