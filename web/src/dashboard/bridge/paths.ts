import { businessPath } from '../shell/navigation.ts'

export const bridgesPath = (businessId: string): string => `${businessPath(businessId)}/bridge`
export const bridgePath = (businessId: string, transferId: string): string =>
  `${bridgesPath(businessId)}/${encodeURIComponent(transferId)}`
