import type { Prover } from '../custody/proof.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Intent } from '../txmgr/intents.ts'
import { assetOfPlan } from './plan.ts'
import { requirePlan, type WantedStake } from './readStakeRequest.ts'
import { termsMessage } from './stakeProof.ts'
import { insertStake } from './storedStake.ts'

/**
 * Stores a stake with the terms that its plan has now. The plan stays as it is until the transaction ends.
 * @throws ApiError 409 if the plan was stopped meanwhile, 422 if its limits changed
 */
export async function storeStake(
  tx: Tx,
  prover: Prover,
  { plan: { id: planId }, ...wanted }: WantedStake & { businessId: string },
  intent: Intent,
): Promise<void> {
  const { businessId, amount, from, validator } = wanted
  const plan = await requirePlan(tx, planId, amount)
  const { contract, decimals } = assetOfPlan(plan, wanted.chain)
  const { id, createdAt } = intent
  const terms = { apy: plan.apy, lockDays: plan.lockDays, penaltyPercent: plan.penaltyPercent, createdAt }
  const common = {
    businessId,
    planId,
    rootId: id,
    chain: plan.chain,
    contract,
    decimals,
    stakedAmount: amount,
    from,
    ...terms,
  }
  const termsProof = prover.prove(termsMessage(common))
  await insertStake(tx, {
    ...common,
    id,
    type: plan.type,
    token: plan.token,
    amount,
    validator,
    termsProof,
    confirmedAt: null,
  })
}
