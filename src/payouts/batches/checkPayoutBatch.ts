import { hasSecondOwner } from '../../approvals/secondOwner.ts'
import { readPayoutLimits } from '../../spendingLimits/payoutLimitSettings.ts'
import type { PayoutCaller } from '../createPayout.ts'
import { totalsOf } from './batchTotals.ts'
import { compareTogether } from './compareTogether.ts'
import { batchRefused } from './mistakes.ts'
import { type BatchContext, type BatchRequest, keyOf, readBatch } from './readBatch.ts'

/**
 * Checks and prices a batch as creating it would, and stores nothing.
 * @throws ApiError as `createPayoutBatch`
 */
export async function checkPayoutBatch(ctx: BatchContext, caller: PayoutCaller, request: BatchRequest) {
  const { planned, found } = await readBatch(ctx, caller, request)
  const together = await compareTogether(ctx, ctx.db, caller, planned)
  if (found.length + together.found.length > 0) throw batchRefused([...found, ...together.found])
  const fresh = new Set(planned.flatMap(({ target }) => ('fresh' in target ? [keyOf(target)] : [])))
  const saved = new Set(planned.flatMap(({ target }) => ('saved' in target ? [target.saved.id] : [])))
  const ofDestinations = fresh.size > 0 && (await freshNeedApproval(ctx, caller.businessId))
  return {
    payouts: planned.length,
    destinations: fresh.size + saved.size,
    newDestinations: fresh.size,
    totals: totalsOf(
      planned.map(({ source, priced: { fee, wallet, bank } }) => ({
        chain: source.chain.name,
        token: source.token.symbol,
        toChain: wallet?.chain ?? null,
        toToken: wallet?.token ?? null,
        currency: bank?.currency ?? null,
        payouts: 1,
        amount: String(source.amount),
        fee: String(fee),
        toAmount: wallet && String(wallet.amount),
        localAmount: bank?.price ? String(bank.price.localAmount) : null,
        localFee: bank?.price?.localFee ?? null,
      })),
    ),
    needsApproval: together.approval || ofDestinations,
  }
}

/** As `targetNeedsApproval`, without its lock. */
const freshNeedApproval = async ({ db }: Pick<BatchContext, 'db'>, businessId: string): Promise<boolean> =>
  db.snapshot(
    async (tx) =>
      (await readPayoutLimits(tx, businessId)).approvalAbove.value !== null &&
      (await hasSecondOwner(tx, businessId)),
  )
