import { sessionsPath } from '../posSessions/paths.ts'

export const newPaymentPath = (businessId: string): string => `${sessionsPath(businessId)}/new`
