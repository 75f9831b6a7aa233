import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { DeliverySearch } from './DeliverySearch.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import { type DeliveryQuery, readDeliveryQuery } from './deliveryQuery.ts'
import { ReplayFailedDialog } from './ReplayFailedDialog.tsx'
import { targetOf } from './targetOf.ts'
import type { CallbackHost, Endpoint } from './types.ts'

const nothing = { endpoints: [], hosts: [] }

/** Webhook deliveries; the search is in the page's URL. */
export function DeliveriesPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [asking, setAsking] = useState(false)
  const [replays, setReplays] = useState(0)
  const path = { businessId: business.id }
  const loaded = useLoaded(business.id, async (signal) => {
    const [{ endpoints: all }, { hosts }] = await Promise.all([
      api.call('listWebhookEndpointsOfBusiness', { path, signal }),
      api.call('getWebhookCallbacksOfBusiness', { path, signal }),
    ])
    return { endpoints: all, hosts }
  })
  const { endpoints, hosts } = loaded.now.state === 'ready' ? loaded.now.value : nothing
  return (
    <Page
      title="Webhook deliveries"
      tab={`Webhook deliveries · ${business.name}`}
      lead="Events that Cowry sent to your servers, and the results."
      actions={
        develops && (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            Send failed ones again
          </button>
        )
      }
    >
      <Loaded of={loaded}>{(value) => <Deliveries key={replays} {...value} />}</Loaded>
      {asking && (
        <ReplayFailedDialog
          endpoints={endpoints}
          hosts={hosts}
          onClose={() => setAsking(false)}
          onReplayed={() => setReplays((count) => count + 1)}
        />
      )}
    </Page>
  )
}

/** A search by address or time is counted up to this number. */
const countedTo = 10_000
const isCounted = ({ address, since, until }: DeliveryQuery): boolean =>
  [address, since, until].some((each) => each !== undefined)

function Deliveries({ endpoints, hosts }: { endpoints: Endpoint[]; hosts: CallbackHost[] }) {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const query = readDeliveryQuery(search, business.timeZone)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { webhooks, ...page } = await api.call('listWebhooksOfBusiness', {
      path: { businessId: business.id },
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: webhooks }
  })
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
  return (
    <>
      <DeliverySearch
        search={search}
        endpoints={endpoints}
        hosts={hosts}
        onSearch={(given) => setSearch(given)}
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'Nothing happened yet.'}>
              <p>
                {search.size > 0
                  ? 'Search for less, or for a longer time.'
                  : 'Payments, and movements on the addresses that you monitor, are listed here.'}
              </p>
            </Empty>
          ) : (
            <>
              <DeliveryTable
                deliveries={rows}
                businessId={business.id}
                endpointOf={(delivery) => targetOf(delivery, urls)}
              />
              <More
                pages={pages}
                shown={rows.length}
                total={total}
                atLeast={total >= countedTo && isCounted(query)}
                next={nextCursor}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}
