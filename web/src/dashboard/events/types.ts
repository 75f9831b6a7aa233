import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type LoggedEvent = DashboardAnswerOf<'listNewestEvents'>['events'][number]
export type EventRecord = DashboardAnswerOf<'getEventOfBusiness'>
