import type { DashboardAnswerOf } from '../../../../../client/index.ts'

export type Health = DashboardAnswerOf<'getHealth'>
export type ChainHealth = NonNullable<Health['chains']>[number]
export type QueueHealth = NonNullable<Health['queues']>['queues'][number]
export type DeadJob = DashboardAnswerOf<'listDeadJobs'>['jobs'][number]
