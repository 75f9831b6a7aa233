import { businessPath } from '../shell/navigation.ts'

export const verificationsPath = (businessId: string): string => `${businessPath(businessId)}/verifications`
export const verificationPath = (businessId: string, id: string): string =>
  `${verificationsPath(businessId)}/${encodeURIComponent(id)}`
