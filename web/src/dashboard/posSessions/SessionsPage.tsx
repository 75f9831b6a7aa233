import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { downloadFile } from '../books/downloadFile.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { transactionIn } from './findPayment.ts'
import { findPaymentPath, newPaymentPath } from './paths.ts'
import { SessionSearch } from './SessionSearch.tsx'
import { SessionTable } from './SessionTable.tsx'
import { readSessionQuery, type SessionQuery } from './sessionQuery.ts'
import { useRepeated } from './useLiveSession.ts'

const pageSize = 20
const refreshMs = 5000
/** The API counts no further. */
const countedTo = [100, 1000, 10_000]

function csvPath(businessId: string, query: SessionQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return `/businesses/${encodeURIComponent(businessId)}/pos/sessions?${new URLSearchParams(given)}`
}

/** Payment sessions, the newest first; the search is in the page's URL. */
export function SessionsPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const now = new Date()
  const query = readSessionQuery(search, now, business.timeZone)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { sessions, ...page } = await api.call('listSessionsOfBusiness', {
      path: { businessId: business.id },
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: sessions }
  })
  // A list that was grown stays as it is read.
  const isFirstPage = pages.now.state === 'ready' && pages.now.value.rows.length <= pageSize
  useRepeated(isFirstPage && query.search === undefined, pages.reload, refreshMs)
  async function save(): Promise<void> {
    if (saving) return
    setSaving(true)
    setFailure(undefined)
    try {
      await downloadFile(csvPath(business.id, query), 'payments.csv')
    } catch (error) {
      setFailure(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <Page
      title="Payments"
      tab={`Payments · ${business.name}`}
      lead="What you requested from customers, and what came."
      actions={
        <>
          {develops && (
            <Link className="button primary" href={newPaymentPath(business.id)}>
              New payment
            </Link>
          )}
          <Link className="button" href={findPaymentPath(business.id)}>
            Where is my payment?
          </Link>
          <button type="button" className="button" aria-disabled={saving} onClick={() => void save()}>
            {saving ? 'Preparing the file…' : 'Download CSV'}
          </button>
        </>
      }
    >
      {failure !== undefined && <Failed error={failure} />}
      <SessionSearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <NothingFound businessId={business.id} isSearch={search.size > 0} text={query.search} />
          ) : (
            <>
              <SessionTable sessions={rows} />
              <More
                pages={pages}
                shown={rows.length}
                total={total}
                atLeast={nextCursor !== null && countedTo.includes(total)}
                next={nextCursor}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function NothingFound({
  businessId,
  isSearch,
  text,
}: {
  businessId: string
  isSearch: boolean
  text: string | undefined
}) {
  if (!isSearch)
    return (
      <Empty title="There is no payment yet.">
        <p>Create the first one here, or let your server do it by the API.</p>
      </Empty>
    )
  return (
    <Empty title="Nothing was found.">
      {text !== undefined && transactionIn(text) ? (
        <p>
          No payment here has this transaction.{' '}
          <Link href={findPaymentPath(businessId, text)}>See what became of it</Link>.
        </p>
      ) : (
        <p>Search for less, or for a longer time.</p>
      )}
    </Empty>
  )
}
