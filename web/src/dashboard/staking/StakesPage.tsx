import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { StakeSearch } from './StakeSearch.tsx'
import { StakeTable } from './StakeTable.tsx'
import { readStakeQuery } from './stakeQuery.ts'

/** Stakes, the newest first; the search is in the page's URL. */
export function StakesPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const query = readStakeQuery(search)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const path = { businessId: business.id }
    const { stakes, ...page } = await api.call('listStakesOfBusiness', {
      path,
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: stakes }
  })
  return (
    <Page
      title="Stakes"
      tab={`Stakes · ${business.name}`}
      lead="Money that earns rewards. Stake, unstake and withdraw through the API, with your key."
    >
      <StakeSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'There is no stake yet.'}>
              {search.size > 0 ? (
                <p>Search for less.</p>
              ) : (
                <p>
                  Stake with <code>POST /staking/stake</code>.
                </p>
              )}
            </Empty>
          ) : (
            <>
              <StakeTable stakes={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
