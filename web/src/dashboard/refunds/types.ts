import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Refund = DashboardAnswerOf<'getRefundOfBusiness'>
export type NewRefund = DashboardBodyOf<'createRefundOfBusiness'>
