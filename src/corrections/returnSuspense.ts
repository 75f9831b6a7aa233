import type { Memo } from '../chains/chain.ts'
import { type OutflowMaker, storeOutflow } from '../outflows/storeOutflow.ts'
import type { Tx } from '../platform/database/db.ts'
import { type AssetsContext, chainAssetIn } from '../statements/assets.ts'
import { type HeldMoney, lockHeld } from './assignSuspense.ts'

/**
 * Makes the outflow by which a payment in suspense goes back, in the caller's transaction. Suspense owes the
 * money until it has arrived.
 * @param expected what was to go back
 * @returns false where suspense does not hold exactly that now: nothing changed
 */
export async function returnSuspense(
  ctx: AssetsContext & { maker: OutflowMaker },
  tx: Tx,
  paymentId: string,
  expected: HeldMoney,
  to: { address: string; memo: Memo | null },
): Promise<boolean> {
  if (!(await lockHeld(tx, paymentId, expected))) return false
  const { chain, token } = chainAssetIn(ctx, expected.asset)
  const { amount } = expected
  await storeOutflow(ctx.maker, tx, {
    kind: 'suspense',
    businessId: null,
    paymentId,
    status: 'pending',
    chain,
    token,
    amount,
    wallet: { chain, token, address: to.address, memo: to.memo, amount },
    bank: null,
  })
  return true
}
