import type { DashboardQueryOf } from '../../../../client/index.ts'
import { deliveryLabels } from '../labels.ts'
import { readPeriod } from '../periods.ts'
import { isTypeChoice } from '../webhooks/eventTypes.ts'
import type { DeliveryStatus } from '../webhooks/types.ts'

/** A search of events, as the API takes it. */
export type EventQuery = Pick<DashboardQueryOf<'listNewestEvents'>, 'type' | 'status' | 'since' | 'until'>

const isStatus = (text: string): text is DeliveryStatus => Object.hasOwn(deliveryLabels, text)

/**
 * The search in the page's URL; what it cannot be is left out.
 * @param timeZone of the business, by which its times and a `period` are
 */
export function readEventQuery(search: URLSearchParams, now: Date, timeZone: string): EventQuery {
  const [type, status] = [search.get('type') ?? '', search.get('status') ?? '']
  return {
    type: isTypeChoice(type) ? type : undefined,
    status: isStatus(status) ? status : undefined,
    ...readPeriod(search, now, timeZone),
  }
}
