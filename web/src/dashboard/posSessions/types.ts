import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type Session = DashboardAnswerOf<'getSessionOfBusiness'>
export type SessionStatus = Session['status']
export type SessionException = Session['exception']
export type SessionPayment = Session['payments'][number]
export type TimelineEntry = DashboardAnswerOf<'getSessionTimeline'>['entries'][number]
