import { payoutsPath } from '../paths.ts'

export const payManyPath = (businessId: string): string => `${payoutsPath(businessId)}/many`
export const batchesPath = (businessId: string): string => `${payoutsPath(businessId)}/batches`
export const batchPath = (businessId: string, batchId: string): string =>
  `${batchesPath(businessId)}/${encodeURIComponent(batchId)}`
