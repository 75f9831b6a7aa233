import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Wallet = DashboardAnswerOf<'getWalletOfBusiness'>
export type WalletBalance = DashboardAnswerOf<'readBalanceOfBusiness'>
/** A wallet with its limits. */
export type SendingWallet = DashboardAnswerOf<'listSenders'>['wallets'][number]
export type NewWallet = DashboardBodyOf<'storeWalletOfBusiness'>
type Chain = NewWallet['chain']

/** A wallet that was made, and is not stored yet: only this page has its phrase. */
export interface MadeWallet {
  chain: Chain
  name: string | undefined
  address: string
  phrase: string
}
