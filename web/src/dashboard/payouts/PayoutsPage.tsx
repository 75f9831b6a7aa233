import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { batchesPath, payManyPath } from './batches/paths.ts'
import { NewPayoutDialog } from './NewPayoutDialog.tsx'
import { PayoutSearch } from './PayoutSearch.tsx'
import { PayoutTable } from './PayoutTable.tsx'
import { destinationsPath, payoutPath } from './paths.ts'
import { readPayoutQuery } from './payoutQuery.ts'

/** Payouts, the newest first; the search is in the page's URL. */
export function PayoutsPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const [creating, setCreating] = useState(false)
  const query = readPayoutQuery(search, business.timeZone)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { payouts, ...page } = await api.call('listPayoutsOfBusiness', {
      path: { businessId: business.id },
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: payouts }
  })
  function closeAndReload(): void {
    setCreating(false)
    // There may be a new payout whose answer was lost.
    pages.reload()
  }
  return (
    <Page
      title="Payouts"
      tab={`Payouts · ${business.name}`}
      lead={
        <>
          Money that leaves your balances, to your{' '}
          <Link href={destinationsPath(business.id)}>destinations</Link>: one by one, or in{' '}
          <Link href={batchesPath(business.id)}>batches</Link>.
        </>
      }
      actions={
        develops && (
          <>
            <button type="button" className="button primary" onClick={() => setCreating(true)}>
              Pay out
            </button>
            <Link className="button" href={payManyPath(business.id)}>
              Pay many
            </Link>
          </>
        )
      }
    >
      <PayoutSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'There is no payout yet.'}>
              {search.size > 0 && <p>Search for less, or for a longer time.</p>}
            </Empty>
          ) : (
            <>
              <PayoutTable payouts={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {creating && (
        <NewPayoutDialog
          onClose={closeAndReload}
          onCreated={({ id }) => navigate(payoutPath(business.id, id))}
        />
      )}
    </Page>
  )
}
