import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type Destination = DashboardAnswerOf<'getPayoutDestinationOfBusiness'>
export type DestinationStatus = Destination['status']
export type PayoutBank = DashboardAnswerOf<'listPayoutBanks'>['banks'][number]
export type PayoutSettings = DashboardAnswerOf<'getPayoutSettings'>
export type LegalProfile = NonNullable<DashboardAnswerOf<'getLegalProfile'>['profile']>
export type Payout = DashboardAnswerOf<'getPayoutOfBusiness'>
export type PayoutStatus = Payout['status']
