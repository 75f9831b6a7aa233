import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type Overview = DashboardAnswerOf<'getOverview'>
export type Day = Overview['days'][number]
export type Needs = Overview['needs']
