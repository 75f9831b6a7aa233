import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Wallet = DashboardAnswerOf<'getWalletOfBusiness'>
export type WalletBalance = DashboardAnswerOf<'readBalanceOfBusiness'>
/** A wallet with its limits. */
export type SendingWallet = DashboardAnswerOf<'listSenders'>['wallets'][number]
export type NewWallet = DashboardBodyOf<'storeWalletOfBusiness'>
export type Chain = NewWallet['chain']
