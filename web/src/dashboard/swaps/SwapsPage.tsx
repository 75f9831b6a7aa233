import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { SwapSearch } from './SwapSearch.tsx'
import { SwapTable } from './SwapTable.tsx'
import { readSwapQuery } from './swapQuery.ts'

/** Swaps that programs of the business have executed, the newest first; the search is in the page's URL. */
export function SwapsPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const query = readSwapQuery(search)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const path = { businessId: business.id }
    const { swaps, ...page } = await api.call('listSwapsOfBusiness', {
      path,
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: swaps }
  })
  return (
    <Page
      title="Swaps"
      tab={`Swaps · ${business.name}`}
      lead="Tokens that your programs swapped with their own keys."
    >
      <SwapSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length > 0 ? (
            <>
              <SwapTable swaps={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          ) : (
            <NoSwap isSearch={search.size > 0} />
          )
        }
      </Loaded>
    </Page>
  )
}

function NoSwap({ isSearch }: { isSearch: boolean }) {
  if (isSearch)
    return (
      <Empty title="Nothing was found.">
        <p>Search for less.</p>
      </Empty>
    )
  return (
    <Empty title="There is no swap yet.">
      <p>
        A program swaps with <code>POST /crypto/swaps/execute</code>.
      </p>
    </Empty>
  )
}
