import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { BridgeSearch } from './BridgeSearch.tsx'
import { BridgeTable } from './BridgeTable.tsx'
import { readBridgeQuery } from './bridgeQuery.ts'
import { NewBridgeDialog } from './NewBridgeDialog.tsx'
import { bridgePath } from './paths.ts'

/** Bridge transfers, the newest first; the search is in the page's URL. */
export function BridgesPage() {
  const api = useApi()
  const { business, owns } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const [creating, setCreating] = useState(false)
  const query = readBridgeQuery(search)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const path = { businessId: business.id }
    const { transfers, ...page } = await api.call('listBridgeTransfersOfBusiness', {
      path,
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: transfers }
  })
  function closeAndReload(): void {
    setCreating(false)
    // There may be a new transfer whose answer was lost.
    pages.reload()
  }
  return (
    <Page
      title="Bridge"
      tab={`Bridge · ${business.name}`}
      lead="USDC of stored wallets on its way to another network."
      actions={
        owns && (
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            Bridge USDC
          </button>
        )
      }
    >
      <BridgeSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'There is no bridge transfer yet.'}>
              {search.size > 0 && <p>Search for less.</p>}
            </Empty>
          ) : (
            <>
              <BridgeTable transfers={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {creating && (
        <NewBridgeDialog
          onClose={closeAndReload}
          onCreated={({ id }) => navigate(bridgePath(business.id, id))}
        />
      )}
    </Page>
  )
}
