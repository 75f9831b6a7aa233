import { businessPath } from '../shell/navigation.ts'

export const paymentLinksPath = (businessId: string): string => `${businessPath(businessId)}/payment-links`
export const newPaymentLinkPath = (businessId: string): string => `${paymentLinksPath(businessId)}/new`
export const paymentLinkPath = (businessId: string, linkId: string): string =>
  `${paymentLinksPath(businessId)}/${encodeURIComponent(linkId)}`
