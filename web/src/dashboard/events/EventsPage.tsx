import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { ListSearch } from '../ListSearch.tsx'
import { deliveryLabels } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { typeChoices } from '../webhooks/eventTypes.ts'
import { endpointsPath } from '../webhooks/paths.ts'
import { EventTable } from './EventTable.tsx'
import { readEventQuery } from './eventQuery.ts'

const filters = [
  { name: 'type', label: 'Type', choices: typeChoices.filter(({ value }) => value !== '') },
  {
    name: 'status',
    label: 'Delivery',
    choices: Object.entries(deliveryLabels).map(([value, { label }]) => ({ value, label })),
  },
]

/** What happened to the business, the newest first; the search is in the page's URL. */
export function EventsPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const now = new Date()
  const query = readEventQuery(search, now, business.timeZone)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { events, nextBefore } = await api.call('listNewestEvents', {
      path: { businessId: business.id },
      query: { ...query, ...(cursor && { before: Number(cursor) }) },
      signal,
    })
    return { rows: events, total: 0, nextCursor: nextBefore === null ? null : String(nextBefore) }
  })
  return (
    <Page
      title="Events"
      tab={`Events · ${business.name}`}
      lead={
        <>
          Everything that happened. Cowry sends these events to your{' '}
          <Link href={endpointsPath(business.id)}>webhook endpoints</Link>.
        </>
      }
      actions={
        <button type="button" className="button" onClick={pages.reload}>
          Refresh
        </button>
      }
    >
      <ListSearch search={search} onSearch={(given) => setSearch(given)} filters={filters} byTime />
      <Loaded of={pages}>
        {({ rows, nextCursor }) => (
          <>
            {rows.length > 0 && <EventTable events={rows} />}
            {rows.length === 0 && nextCursor === null && <NothingFound isSearch={search.size > 0} />}
            {(rows.length > 0 || nextCursor !== null) && (
              <More
                pages={pages}
                shown={rows.length}
                total={rows.length}
                atLeast={nextCursor !== null}
                next={nextCursor}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function NothingFound({ isSearch }: { isSearch: boolean }) {
  if (isSearch)
    return (
      <Empty title="Nothing was found.">
        <p>Search for less, or for a longer time. Events are kept for a limited time.</p>
      </Empty>
    )
  return (
    <Empty title="Nothing happened yet.">
      <p>The first payment, payout or transfer is listed here, whether or not there is an endpoint.</p>
    </Empty>
  )
}
