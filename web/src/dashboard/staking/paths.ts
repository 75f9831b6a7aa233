import { businessPath } from '../shell/navigation.ts'

export const stakesPath = (businessId: string): string => `${businessPath(businessId)}/stakes`
export const stakePath = (businessId: string, stakeId: string): string =>
  `${stakesPath(businessId)}/${encodeURIComponent(stakeId)}`
