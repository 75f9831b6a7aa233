import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Transfer = DashboardAnswerOf<'getTransferOfBusiness'>
export type TransferStatus = Transfer['status']
export type TransferToken = Transfer['token']
export type TransferRequest = DashboardBodyOf<'sendFromWalletOfBusiness'>
export type TransferEstimate = DashboardAnswerOf<'estimateTransferOfBusiness'>
