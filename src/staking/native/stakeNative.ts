import type { Queryable, Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Intent } from '../../txmgr/intents.ts'
import type { KeyFailpoints } from '../../txmgr/signNow.ts'
import { assetOfPlan } from '../plan.ts'
import type { StakeView } from '../presentStake.ts'
import { requirePlan, type WantedStake } from '../readStakeRequest.ts'
import { answer, viewOf } from '../stake.ts'
import { insertStake } from '../storedStake.ts'
import { notSupported } from './nativeErrors.ts'
import { type NativeContext, sendNative } from './sendNative.ts'

const points: KeyFailpoints = {
  claimed: 'api.native-stake-claimed',
  signed: 'api.native-stake-signed',
  sent: 'api.native-stake-sent',
  recorded: 'api.native-stake-recorded',
}

/**
 * Stakes the coin at the chain itself, with a key from the request: one transaction opens the account of the
 * stake and delegates it. The account follows from the stake's id, which is that of the intent, so that it is
 * opened once.
 * @param also runs in the transaction that stores it; again on its own, with the stake as it is answered
 * @throws ApiError 409, 422 with the reason why nothing was sent; 503
 */
export async function stakeNative(
  ctx: NativeContext,
  wanted: WantedStake & { businessId: string },
  also: (db: Queryable, result: StakeView) => Promise<void>,
): Promise<StakeView> {
  const { chain, amount, from, key, businessId, validator } = wanted
  // Only chains with native stakes take one.
  if (validator === null) throw notSupported()
  const id = newId()
  const send = {
    chain,
    businessId,
    purpose: 'native-stake',
    id,
    from,
    key,
    points,
    amountField: 'amount',
  } as const
  const sent = await sendNative(
    ctx,
    send,
    (staking) => staking.stake({ id, from, validator, amount }),
    async (tx, intent, { rent }) => {
      await store(tx, wanted, intent, rent)
      await also(tx, await viewOf(tx, intent))
    },
  )
  return answer(ctx, sent, also)
}

/** @throws ApiError 409 if the plan was stopped meanwhile, 422 if its limits changed */
async function store(
  tx: Tx,
  { plan: { id: planId }, businessId, amount, from, validator }: WantedStake & { businessId: string },
  { id, createdAt }: Intent,
  rent: bigint,
): Promise<void> {
  const plan = await requirePlan(tx, planId, amount)
  const { type, chain, token, apy } = plan
  await insertStake(tx, {
    ...{
      id,
      businessId,
      planId,
      rootId: id,
      type,
      chain,
      token,
      contract: null,
      decimals: assetOfPlan(plan).decimals,
      amount,
      stakedAmount: amount,
    },
    ...{
      apy,
      lockDays: 0,
      penaltyPercent: '0',
      from,
      validator,
      createdAt,
      termsProof: null,
      confirmedAt: null,
      rent,
    },
  })
}
