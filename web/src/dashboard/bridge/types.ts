import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type BridgeTransfer = DashboardAnswerOf<'getBridgeTransferOfBusiness'>
type BridgeEstimate = DashboardAnswerOf<'estimateBridgeTransferOfBusiness'>
export type BridgeRequest = DashboardBodyOf<'createBridgeTransferOfBusiness'>
export type BridgeStatus = BridgeTransfer['status']
/** A stored wallet. */
export type Wallet = DashboardAnswerOf<'listSenders'>['wallets'][number]

/** A transfer that was entered, with its costs. */
export interface EstimatedBridge {
  request: BridgeRequest
  estimate: BridgeEstimate
}
