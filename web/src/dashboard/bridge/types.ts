import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type BridgeTransfer = DashboardAnswerOf<'getBridgeTransferOfBusiness'>
export type BridgeEstimate = DashboardAnswerOf<'estimateBridgeTransferOfBusiness'>
export type BridgeRequest = DashboardBodyOf<'createBridgeTransferOfBusiness'>
export type BridgeStatus = BridgeTransfer['status']
/** A stored wallet. */
export type Wallet = DashboardAnswerOf<'listSenders'>['wallets'][number]
