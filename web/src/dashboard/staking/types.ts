import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Stake = DashboardAnswerOf<'getStakeOfBusiness'>
export type StakeStatus = Stake['status']
export type Plan = DashboardAnswerOf<'listOperatedPlans'>['plans'][number]
export type PlanRequest = DashboardBodyOf<'createStakingPlan'>
