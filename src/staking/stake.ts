import type { TransferSpec } from '../chains/action.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { asApiError, planTransfer, requireAffordable, requireSensibleFee } from '../transfers/planTransfer.ts'
import type { Intent } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { type KeySendingContext, type PreparedSteps, sendStepsWithKey } from '../txmgr/sendNow.ts'
import type { KeyFailpoints } from '../txmgr/signNow.ts'
import { notReady } from './errors.ts'
import { assetOfPlan } from './plan.ts'
import { presentStake, type StakeView } from './presentStake.ts'
import type { WantedStake } from './readStakeRequest.ts'
import { stakingAddress } from './stakingAddress.ts'
import { readStakes } from './storedStake.ts'
import { storeStake } from './storeStake.ts'

export interface StakeContext {
  chains: readonly ConfiguredChain[]
  txmgr: KeySendingContext
}

const points: KeyFailpoints = {
  claimed: 'api.stake-claimed',
  signed: 'api.stake-signed',
  sent: 'api.stake-sent',
  recorded: 'api.stake-recorded',
}

/**
 * Stakes with a key from the request: a transfer to the staking address. The stake, its terms and the signed
 * bytes are stored before they are broadcast; from then on a worker can finish it.
 * @param also runs in the transaction that stores them; again on its own, without one, with the stake as it
 * is answered
 * @throws ApiError 409, 422 with the reason why nothing was sent; 503
 */
export async function stake(
  ctx: StakeContext,
  wanted: WantedStake & { businessId: string },
  also: (db: Queryable, result: StakeView) => Promise<void>,
): Promise<StakeView> {
  const { chain, plan, amount, from, key, businessId } = wanted
  const { txmgr } = ctx
  await requireNotPaused(txmgr.db, chain.name)
  const to = await stakingAddress(txmgr.db, chain.family)
  if (to === null) throw notReady()
  const { symbol, contract, decimals } = assetOfPlan(plan, chain)
  const token = contract === null ? null : { contract, symbol, decimals }
  const action: TransferSpec = {
    kind: 'transfer',
    from,
    to,
    token,
    amount,
    memo: null,
    gasPrice: null,
    gasLimit: null,
  }
  const sending = await txmgr.sendingChain(chain.name)
  const prepare = async (): Promise<PreparedSteps> => {
    const planned = await planTransfer(sending, action)
    requireAffordable(planned)
    await requireSensibleFee(txmgr, chain, planned)
    const row = {
      businessId,
      purpose: 'stake',
      chain: chain.name,
      signer: 'caller',
      walletId: null,
      action,
      symbol,
      decimals,
    } as const
    return { steps: [{ plan: planned, wanted: row }], signing: { key, isInTime: () => true, points } }
  }
  const [sent] = await sendStepsWithKey(txmgr, sending, from, prepare, async (tx, [intent]) => {
    if (!intent) throw new Error('nothing was signed')
    await storeStake(tx, txmgr.prover, wanted, intent)
    await also(tx, await viewOf(tx, intent))
  }).catch((error) => {
    throw asApiError(chain.name, error)
  })
  if (!sent) throw new Error('nothing was signed')
  return answer(ctx, sent, also)
}

/** A stored stake with the transaction that staked. */
export async function viewOf(db: Queryable, intent: Intent): Promise<StakeView> {
  const [stored] = await readStakes(db, 'id = $1 and business_id = $2', [intent.id, intent.businessId])
  if (!stored) throw new Error(`stake ${intent.id} was not stored`)
  return presentStake(stored, intent)
}

/** Answers with a stored stake. Does not fail: after an error the caller might stake again. */
export async function answer(
  { txmgr }: Pick<StakeContext, 'txmgr'>,
  sent: Intent,
  also: (db: Queryable, result: StakeView) => Promise<void>,
): Promise<StakeView> {
  const view = await viewOf(txmgr.db, sent)
  await also(txmgr.db, view).catch((error) => {
    const about = { intent: view.id, chain: view.chain, err: messageOf(error) }
    txmgr.log.error(about, 'the answer to a stored stake could not be stored for repetitions')
  })
  return view
}
