import type { DashboardQueryOf } from '../../../../client/index.ts'
import { fromLocalInput } from '../../ui/localTime.ts'
import { collectionStatusLabels } from './collectionLabels.ts'
import type { CollectionStatus } from './types.ts'

/** A search of collections, as the API takes it. */
export type CollectionQuery = Pick<
  DashboardQueryOf<'listCollectionsOfBusiness'>,
  'status' | 'currency' | 'reference' | 'since' | 'until'
>

const isStatus = (text: string): text is CollectionStatus => Object.hasOwn(collectionStatusLabels, text)

/** The search in the page's URL; `since` and `until` are local times there, as their inputs show them. */
export function readCollectionQuery(search: URLSearchParams): CollectionQuery {
  const textIn = (name: string) => search.get(name)?.trim() ?? ''
  const [status, currency] = [textIn('status'), textIn('currency').toUpperCase()]
  return {
    status: isStatus(status) ? status : undefined,
    currency: /^[A-Z]{3}$/.test(currency) ? currency : undefined,
    reference: textIn('reference') || undefined,
    since: fromLocalInput(textIn('since')),
    until: fromLocalInput(textIn('until')),
  }
}
