import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type Verification = DashboardAnswerOf<'listVerificationsOfBusiness'>['verifications'][number]
export type VerificationStatus = Verification['status']
export type VerificationKey = DashboardAnswerOf<'listVerificationKeys'>['keys'][number]
