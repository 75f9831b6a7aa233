import { businessPath } from '../shell/navigation.ts'

export const transfersPath = (businessId: string): string => `${businessPath(businessId)}/transfers`
export const transferPath = (businessId: string, transferId: string): string =>
  `${transfersPath(businessId)}/${encodeURIComponent(transferId)}`
