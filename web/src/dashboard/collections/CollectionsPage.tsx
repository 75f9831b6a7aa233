import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { CollectionSearch } from './CollectionSearch.tsx'
import { CollectionTable } from './CollectionTable.tsx'
import { readCollectionQuery } from './collectionQuery.ts'
import { NothingYet } from './NothingYet.tsx'
import { newCollectionPath } from './paths.ts'

/** Fiat collections, the newest first; the search is in the page's URL. */
export function CollectionsPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const query = readCollectionQuery(search, business.timeZone)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const path = { businessId: business.id }
    const { data, ...page } = await api.call('listCollectionsOfBusiness', {
      path,
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: data }
  })
  return (
    <Page
      title="Collections"
      tab={`Collections · ${business.name}`}
      lead="Customers pay in their own currency; the partner settles it as crypto to a wallet of yours."
      actions={
        develops && (
          <Link className="button primary" href={newCollectionPath(business.id)}>
            Collect
          </Link>
        )
      }
    >
      <CollectionSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) => {
          if (rows.length > 0)
            return (
              <>
                <CollectionTable collections={rows} />
                <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
              </>
            )
          return search.size > 0 ? <NothingFound /> : <NothingYet />
        }}
      </Loaded>
    </Page>
  )
}

function NothingFound() {
  return (
    <Empty title="Nothing was found.">
      <p>Search for less, or for a longer time.</p>
    </Empty>
  )
}
