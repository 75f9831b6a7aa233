import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'
import { VerificationSearch } from './VerificationSearch.tsx'
import { VerificationTable } from './VerificationTable.tsx'
import { readVerificationQuery } from './verificationQuery.ts'

/** Verifications, the newest first, without personal data; the search is in the page's URL. */
export function VerificationsPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const query = readVerificationQuery(search)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const path = { businessId: business.id }
    const { verifications, ...page } = await api.call('listVerificationsOfBusiness', {
      path,
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: verifications }
  })
  return (
    <Page
      title="Verifications"
      tab={`Verifications · ${business.name}`}
      lead="Identity checks of your customers. Their personal data are read with a secret key alone."
    >
      <VerificationSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'There is no verification yet.'}>
              {search.size > 0 ? (
                <p>Search for less.</p>
              ) : (
                <p>
                  Your server or web site starts one with a{' '}
                  <Link href={`${businessPath(business.id)}/settings/verification-keys`}>
                    verification key
                  </Link>
                  .
                </p>
              )}
            </Empty>
          ) : (
            <>
              <VerificationTable verifications={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
