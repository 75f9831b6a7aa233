import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type Collection = DashboardAnswerOf<'getCollectionOfBusiness'>
export type CollectionItem = DashboardAnswerOf<'listCollectionsOfBusiness'>['data'][number]
export type CollectionStatus = Collection['status']
export type CollectionSettlement = Collection['settlement']
export type CollectionOptions = DashboardAnswerOf<'getCollectionOptions'>
export type CollectionChannel = CollectionOptions['channels'][number]
