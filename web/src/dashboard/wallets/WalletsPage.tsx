import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { ListSearch } from '../ListSearch.tsx'
import { chainChoices } from '../labels.ts'
import { SaveCsvButton } from '../SaveCsvButton.tsx'
import { useApi } from '../session/session.ts'
import { NewWalletDialog } from './NewWalletDialog.tsx'
import { walletPath } from './paths.ts'
import { WalletTable } from './WalletTable.tsx'
import { readWalletQuery } from './walletQuery.ts'

const filters = [
  { name: 'chain', label: 'Network', choices: chainChoices },
  { name: 'show', label: 'State', choices: [{ value: 'archived', label: 'Archived' }] },
]

/** Stored wallets, the newest first; the search is in the page's URL. */
export function WalletsPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const [creating, setCreating] = useState(false)
  const query = readWalletQuery(search)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { wallets, ...page } = await api.call('listWalletsOfBusiness', {
      path: { businessId: business.id },
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: wallets }
  })
  const isEmpty = pages.now.state === 'ready' && pages.now.value.rows.length === 0
  function closeAndReload(): void {
    setCreating(false)
    // There may be a new wallet whose answer was lost.
    pages.reload()
  }
  return (
    <Page
      title="Wallets"
      tab={`Wallets · ${business.name}`}
      lead="Your own addresses, from which you send."
      actions={
        <>
          {develops && (
            <button type="button" className="button primary" onClick={() => setCreating(true)}>
              New wallet
            </button>
          )}
          {!isEmpty && (
            <SaveCsvButton
              path={`/businesses/${encodeURIComponent(business.id)}/crypto/wallets`}
              query={query}
              name="wallets.csv"
            />
          )}
        </>
      }
    >
      <ListSearch
        search={search}
        onSearch={(given) => setSearch(given)}
        placeholder="Label or address"
        filters={filters}
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <NothingFound isSearch={search.size > 0} develops={develops} />
          ) : (
            <>
              <WalletTable wallets={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {creating && (
        <NewWalletDialog
          onClose={closeAndReload}
          onStored={({ id }) => navigate(walletPath(business.id, id))}
        />
      )}
    </Page>
  )
}

function NothingFound({ isSearch, develops }: { isSearch: boolean; develops: boolean }) {
  if (isSearch)
    return (
      <Empty title="Nothing was found.">
        <p>Search for less, or in all networks.</p>
      </Empty>
    )
  return (
    <Empty title="There is no wallet yet.">
      <p>
        {develops
          ? 'Make one with New wallet, send coins to its address, then send from it here.'
          : 'A developer or an owner of your business makes the first one.'}
      </p>
    </Empty>
  )
}
