import type { DashboardQueryOf } from '../../../../client/index.ts'
import { deliveryLabels, isChain } from '../labels.ts'
import { readTimes } from '../periods.ts'
import { readStates } from '../statesIn.ts'
import type { DeliveryStatus } from './types.ts'

/** A search of deliveries, as the API takes it. */
export type DeliveryQuery = Pick<
  DashboardQueryOf<'listWebhooksOfBusiness'>,
  'status' | 'type' | 'chain' | 'address' | 'endpointId' | 'since' | 'until'
>

const isStatus = (text: string): text is DeliveryStatus => Object.hasOwn(deliveryLabels, text)

/** The search in the page's URL. @param timeZone by which `since` and `until` are there */
export function readDeliveryQuery(search: URLSearchParams, timeZone: string): DeliveryQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  const chain = textIn('chain')
  return {
    status: readStates(search, isStatus),
    // Without a type the API lists detected transactions only.
    type: textIn('type') ?? '*',
    chain: chain && isChain(chain) ? chain : undefined,
    address: textIn('address'),
    endpointId: textIn('endpointId'),
    ...readTimes(search, timeZone),
  }
}
