import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { findPaymentPath, newPaymentPath } from './paths.ts'
import { SessionSearch } from './SessionSearch.tsx'
import { SessionTable } from './SessionTable.tsx'
import { readSessionQuery } from './sessionQuery.ts'

/** Payment sessions, the newest first; the search is in the page's URL. */
export function SessionsPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const query = readSessionQuery(search)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { sessions, ...page } = await api.call('listSessionsOfBusiness', {
      path: { businessId: business.id },
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: sessions }
  })
  return (
    <Page
      title="Payments"
      tab={`Payments · ${business.name}`}
      lead="What you requested from customers, and what came."
      actions={
        <>
          <Link className="button" href={findPaymentPath(business.id)}>
            Where is my payment?
          </Link>
          {develops && (
            <Link className="button primary" href={newPaymentPath(business.id)}>
              New payment
            </Link>
          )}
        </>
      }
    >
      <SessionSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'There is no payment yet.'}>
              <p>
                {search.size > 0
                  ? 'Search for less, or for a longer time.'
                  : 'Create the first one here, or let your server do it by the API.'}
              </p>
            </Empty>
          ) : (
            <>
              <SessionTable sessions={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
