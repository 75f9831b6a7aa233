import { type Loadable, useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import type { Payout } from '../payouts/types.ts'
import { type Refundable, refundableOf } from '../refunds/refundable.ts'
import type { Refund } from '../refunds/types.ts'
import { useApi } from '../session/session.ts'
import type { Delivery } from '../webhooks/types.ts'
import type { Session, TimelineEntry } from './types.ts'

/** As many as the API lists at once, and as a session can have. */
const maxRefunds = 100
const maxDeliveries = 50

export interface LoadedSession {
  session: Session
  entries: TimelineEntry[]
  payouts: Payout[]
  refunds: Refund[]
  refundable: Refundable[]
  /** The newest first; null where an address that many sessions share does not tell whose they are. */
  deliveries: Delivery[] | null
  /** The URL of each endpoint, by its id. */
  urls: ReadonlyMap<string, string>
}

/** All that the page of a payment shows. */
export function useSession(sessionId: string): Loadable<LoadedSession> {
  const api = useApi()
  const { business } = useBusiness()
  const { id: businessId } = business
  const path = { businessId, id: sessionId }
  return useLoaded<LoadedSession>(`${businessId} ${sessionId}`, async (signal) => {
    const reading = api.call('getSessionOfBusiness', { path, signal })
    const deliveriesOf = async ({ address, memo, createdAt }: Session) => {
      if (memo !== undefined) return null
      const query = { type: 'session.*', address, since: createdAt, limit: maxDeliveries }
      const { webhooks } = await api.call('listWebhooksOfBusiness', { path: { businessId }, query, signal })
      return webhooks
    }
    const [session, deliveries, { entries }, { payouts }, { refunds, refundable }, { endpoints }] =
      await Promise.all([
        reading,
        reading.then(deliveriesOf),
        api.call('getSessionTimeline', { path, signal }),
        api.call('listPayoutsOfBusiness', { path: { businessId }, query: { sessionId }, signal }),
        api.call('listRefundsOfBusiness', { path, query: { limit: maxRefunds }, signal }),
        api.call('listWebhookEndpointsOfBusiness', { path: { businessId }, signal }),
      ])
    return {
      session,
      entries,
      payouts,
      refunds,
      refundable: refundableOf(session, refundable),
      deliveries,
      urls: new Map(endpoints.map(({ id, url }) => [id, url])),
    }
  })
}

const underWay = ['awaiting_claim', 'awaiting_approval', 'pending', 'processing', 'unknown']
const isUnderWay = ({ status }: { status: string }): boolean => underWay.includes(status)

/** What leaves, and webhooks, are not in the stream of the checkout page. */
export const isSettling = ({ payouts, refunds, deliveries }: LoadedSession): boolean =>
  payouts.some(isUnderWay) || refunds.some(isUnderWay) || (deliveries ?? []).some(isUnderWay)

/** Nothing is expected any more. */
export const isOver = (loaded: LoadedSession): boolean =>
  loaded.session.status !== 'pending' && !isSettling(loaded)
