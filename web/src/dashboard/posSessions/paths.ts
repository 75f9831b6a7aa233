import { businessPath } from '../shell/navigation.ts'

export const sessionsPath = (businessId: string): string => `${businessPath(businessId)}/payments`
export const sessionPath = (businessId: string, sessionId: string): string =>
  `${sessionsPath(businessId)}/${encodeURIComponent(sessionId)}`
