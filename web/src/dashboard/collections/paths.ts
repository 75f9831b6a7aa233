import { businessPath } from '../shell/navigation.ts'

export const collectionsPath = (businessId: string): string => `${businessPath(businessId)}/collections`
export const newCollectionPath = (businessId: string): string => `${collectionsPath(businessId)}/new`
export const collectionPath = (businessId: string, collectionId: string): string =>
  `${collectionsPath(businessId)}/${encodeURIComponent(collectionId)}`
