import type { DashboardQueryOf } from '../../../../client/index.ts'
import { fromLocalInput } from '../../ui/localTime.ts'
import { deliveryWords, isChain } from '../words.ts'
import type { DeliveryStatus } from './types.ts'

/** What deliveries are narrowed to, as the API takes it. */
export type DeliveryQuery = Pick<
  DashboardQueryOf<'listWebhooksOfBusiness'>,
  'status' | 'type' | 'chain' | 'address' | 'endpointId' | 'since' | 'until'
>

const isStatus = (text: string): text is DeliveryStatus => Object.hasOwn(deliveryWords, text)

/** The search that the page's own address holds; `since` and `until` there are local times, as their inputs show them. */
export function readDeliveryQuery(search: URLSearchParams): DeliveryQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  const status = textIn('status')
  const chain = textIn('chain')
  return {
    status: status && isStatus(status) ? status : undefined,
    // Left out it would be that of detected transactions alone.
    type: textIn('type') ?? '*',
    chain: chain && isChain(chain) ? chain : undefined,
    address: textIn('address'),
    endpointId: textIn('endpointId'),
    since: fromLocalInput(search.get('since') ?? ''),
    until: fromLocalInput(search.get('until') ?? ''),
  }
}
