import { businessPath } from '../shell/navigation.ts'

export const sessionsPath = (businessId: string): string => `${businessPath(businessId)}/payments`
export const newPaymentPath = (businessId: string): string => `${sessionsPath(businessId)}/new`
/** @param txId fills in the form */
export const findPaymentPath = (businessId: string, txId?: string): string =>
  `${sessionsPath(businessId)}/find${txId === undefined ? '' : `?tx=${encodeURIComponent(txId)}`}`
export const sessionPath = (businessId: string, sessionId: string): string =>
  `${sessionsPath(businessId)}/${encodeURIComponent(sessionId)}`
