import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type PaymentLink = DashboardAnswerOf<'getPaymentLinkOfBusiness'>
export type PaymentLinkStatus = PaymentLink['status']
export type NewLink = DashboardBodyOf<'createPaymentLinkOfBusiness'>
