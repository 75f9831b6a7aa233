import type { CallsSpec } from '../../chains/action.ts'
import type { ChainAccounts } from '../../chains/chainAccounts.ts'
import type { ConfiguredChain } from '../../chains/registry.ts'
import type { ChainStaking } from '../../chains/staking.ts'
import { asUnavailable } from '../../chains/unavailable.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Secret } from '../../platform/secrets.ts'
import {
  asApiError,
  planTransfer,
  requireAffordable,
  requireSensibleFee,
} from '../../transfers/planTransfer.ts'
import type { Intent, NewIntent } from '../../txmgr/intents.ts'
import { requireNotPaused } from '../../txmgr/pause.ts'
import { type KeySendingContext, type PreparedSteps, sendStepsWithKey } from '../../txmgr/sendNow.ts'
import type { KeyFailpoints } from '../../txmgr/signNow.ts'
import { asNativeError, notSupported } from './nativeErrors.ts'

export interface NativeContext {
  /** Opens a chain's accounts. */
  accounts(chain: string): Promise<Pick<ChainAccounts, 'staking'>>
  txmgr: KeySendingContext
}

export interface NativeSend {
  chain: ConfiguredChain
  businessId: string
  purpose: NewIntent['purpose']
  /** Of the intent; left out: a new one. */
  id?: string
  /** Normal form. */
  from: string
  key: Secret
  points: KeyFailpoints
  /** The request's field for errors about the amount. */
  amountField: 'amount' | 'amountToUnstake'
}

/**
 * Sends one transaction of a native stake with a key of the request.
 * @param prepare reads the chain: called when no other request of the address is at work
 * @param store runs in the transaction that stores the signed bytes, before they are sent
 * @throws ApiError 409, 422 with the reason why nothing was sent; 503
 */
export async function sendNative<Prepared extends { action: CallsSpec }>(
  { accounts, txmgr }: NativeContext,
  { chain, businessId, purpose, id, from, key, points, amountField }: NativeSend,
  prepare: (staking: ChainStaking) => Promise<Prepared>,
  store: (tx: Tx, intent: Intent, prepared: Prepared) => Promise<void>,
): Promise<Intent> {
  await requireNotPaused(txmgr.db, chain.name)
  const { staking } = await accounts(chain.name).catch((error) => {
    throw asUnavailable(chain.name, error)
  })
  if (!staking) throw notSupported()
  const sending = await txmgr.sendingChain(chain.name)
  let prepared: Prepared | undefined
  const prepareSteps = async (): Promise<PreparedSteps> => {
    prepared = await prepare(staking)
    const { action } = prepared
    const plan = await planTransfer(sending, action)
    requireAffordable(plan)
    await requireSensibleFee(txmgr, chain, plan)
    const common = {
      businessId,
      purpose,
      chain: chain.name,
      signer: 'caller',
      walletId: null,
      action,
      symbol: null,
      decimals: null,
    } as const
    const wanted = id === undefined ? common : { ...common, id }
    return { steps: [{ plan, wanted }], signing: { key, isInTime: () => true, points } }
  }
  const [sent] = await sendStepsWithKey(txmgr, sending, from, prepareSteps, async (tx, [intent]) => {
    if (!intent || !prepared) throw new Error('nothing was signed')
    await store(tx, intent, prepared)
  }).catch((error) => {
    throw asApiError(chain.name, asNativeError(error, chain.native.decimals, amountField))
  })
  if (!sent) throw new Error('nothing was signed')
  return sent
}
