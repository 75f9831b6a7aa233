import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { ListSearch } from '../ListSearch.tsx'
import { chainChoices } from '../labels.ts'
import { useRepeated } from '../posSessions/useLiveSession.ts'
import { SaveCsvButton } from '../SaveCsvButton.tsx'
import { useApi } from '../session/session.ts'
import { walletsPath } from '../wallets/paths.ts'
import { TransferTable } from './TransferTable.tsx'
import { transferStatusLabels, transferTokenLabels } from './transferLabels.ts'
import { readTransferQuery } from './transferQuery.ts'

const pageSize = 20

const states = Object.entries(transferStatusLabels).map(([value, { label }]) => ({ value, label }))
const filters = [
  { name: 'chain', label: 'Network', choices: chainChoices },
  {
    name: 'token',
    label: 'Token',
    choices: Object.entries(transferTokenLabels).map(([value, label]) => ({ value, label })),
  },
]

/** Transfers, the newest first; the search is in the page's URL. */
export function TransfersPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const now = new Date()
  const query = readTransferQuery(search, now, business.timeZone)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { transfers, ...page } = await api.call('listTransfersOfBusiness', {
      path: { businessId: business.id },
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: transfers }
  })
  const rowsNow = pages.now.state === 'ready' ? pages.now.value.rows : []
  // A list that was grown stays as it is read.
  const isMoving = rowsNow.length <= pageSize && rowsNow.some(({ status }) => status === 'pending')
  useRepeated(isMoving, pages.reload)
  return (
    <Page
      title="Transfers"
      tab={`Transfers · ${business.name}`}
      lead="What was sent from your own addresses, here or by your programs."
      actions={
        rowsNow.length > 0 && (
          <SaveCsvButton
            path={`/businesses/${encodeURIComponent(business.id)}/crypto/transfers`}
            query={query}
            name="transfers.csv"
          />
        )
      }
    >
      <ListSearch
        search={search}
        onSearch={(given) => setSearch(given)}
        placeholder="Address, transaction or id"
        filters={filters}
        states={states}
        byTime
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <NothingFound businessId={business.id} isSearch={search.size > 0} />
          ) : (
            <>
              <TransferTable transfers={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function NothingFound({ businessId, isSearch }: { businessId: string; isSearch: boolean }) {
  if (isSearch)
    return (
      <Empty title="Nothing was found.">
        <p>Search for a whole address, transaction or id, or for a longer time.</p>
      </Empty>
    )
  return (
    <Empty title="There is no transfer yet.">
      <p>
        An owner sends from a wallet: open one of the <Link href={walletsPath(businessId)}>wallets</Link>.
      </p>
    </Empty>
  )
}
