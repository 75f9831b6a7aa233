import { businessPath } from '../shell/navigation.ts'

export const endpointsPath = (businessId: string): string => `${businessPath(businessId)}/settings/webhooks`
export const endpointPath = (businessId: string, endpointId: string): string =>
  `${endpointsPath(businessId)}/${encodeURIComponent(endpointId)}`
export const deliveriesPath = (businessId: string): string => `${businessPath(businessId)}/webhooks`
export const deliveryPath = (businessId: string, deliveryId: string): string =>
  `${deliveriesPath(businessId)}/${encodeURIComponent(deliveryId)}`
