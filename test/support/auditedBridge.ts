import { dashboardTwin } from '../../api/contract.ts'
import type { Answered, Recipe } from './auditedRecipe.ts'
import { twinOf } from './auditedWebhooks.ts'
import { bridgeWallet } from './bridging.ts'
import { newPayer } from './payers.ts'
import type { Stack } from './stack.ts'

async function requestOf(stack: Stack): Promise<object> {
  const { address: sourceAddress } = await bridgeWallet(stack, 'ethereum')
  return {
    sourceChain: 'ethereum',
    destinationChain: 'base',
    amount: '2',
    sourceAddress,
    destinationAddress: newPayer('base').address,
  }
}

const createBridgeTransfer: Recipe = async ({ stack }) => {
  const requested = await requestOf(stack)
  const entries = ({ id }: Answered) => [
    { action: 'bridge.created', target: id, businessId: stack.businessId },
  ]
  return { path: '/bridge/transfer', by: null, body: () => requested, entries }
}

const estimateBridgeTransfer: Recipe = async ({ stack }) => {
  const requested = await requestOf(stack)
  return { path: '/bridge/estimate', by: null, body: () => requested, entries: () => [] }
}

/** Bridge transfers: by API and in the dashboard. An estimate stores nothing. */
export const auditedBridge: Record<string, Recipe> = {
  createBridgeTransfer,
  [dashboardTwin('createBridgeTransfer')]: twinOf(createBridgeTransfer),
  [dashboardTwin('estimateBridgeTransfer')]: twinOf(estimateBridgeTransfer),
}
