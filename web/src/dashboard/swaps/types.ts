import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type Swap = DashboardAnswerOf<'getSwapOfBusiness'>
export type SwapItem = DashboardAnswerOf<'listSwapsOfBusiness'>['swaps'][number]
export type SwapStatus = Swap['status']
