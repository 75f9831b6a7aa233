import { businessPath } from '../shell/navigation.ts'

export const swapsPath = (businessId: string): string => `${businessPath(businessId)}/swaps`
export const swapPath = (businessId: string, swapId: string): string =>
  `${swapsPath(businessId)}/${encodeURIComponent(swapId)}`
