import { businessPath } from '../shell/navigation.ts'

export const payoutsPath = (businessId: string): string => `${businessPath(businessId)}/payouts`
export const payoutPath = (businessId: string, payoutId: string): string =>
  `${payoutsPath(businessId)}/${encodeURIComponent(payoutId)}`
export const destinationsPath = (businessId: string): string => `${businessPath(businessId)}/destinations`
