import type { DashboardQueryOf } from '../../../../client/index.ts'
import { readTimes } from '../periods.ts'
import { collectionStatusLabels } from './collectionLabels.ts'
import type { CollectionStatus } from './types.ts'

/** A search of collections, as the API takes it. */
export type CollectionQuery = Pick<
  DashboardQueryOf<'listCollectionsOfBusiness'>,
  'status' | 'currency' | 'reference' | 'since' | 'until'
>

const isStatus = (text: string): text is CollectionStatus => Object.hasOwn(collectionStatusLabels, text)

/** The search in the page's URL. @param timeZone by which `since` and `until` are there */
export function readCollectionQuery(search: URLSearchParams, timeZone: string): CollectionQuery {
  const textIn = (name: string) => search.get(name)?.trim() ?? ''
  const [status, currency] = [textIn('status'), textIn('currency').toUpperCase()]
  return {
    status: isStatus(status) ? status : undefined,
    currency: /^[A-Z]{3}$/.test(currency) ? currency : undefined,
    reference: textIn('reference') || undefined,
    ...readTimes(search, timeZone),
  }
}
