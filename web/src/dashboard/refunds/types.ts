import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Refund = DashboardAnswerOf<'getRefundOfBusiness'>
export type RefundList = DashboardAnswerOf<'listRefundsOfBusiness'>
export type NewRefund = DashboardBodyOf<'createRefundOfBusiness'>
