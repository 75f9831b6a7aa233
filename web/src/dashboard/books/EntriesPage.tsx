import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { downloadFile } from './downloadFile.ts'
import { EntrySearch } from './EntrySearch.tsx'
import { EntryTable } from './EntryTable.tsx'
import { filePath, readEntryQuery } from './entryQuery.ts'

/** The API counts no further. */
const maxCounted = 10_000

/** The entries of the books, the newest first; the search is in the page's URL. */
export function EntriesPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const query = readEntryQuery(search, business.timeZone)
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { entries, ...page } = await api.call('listLedgerEntriesOfBusiness', {
      path: { businessId: business.id },
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: entries }
  })

  async function save(): Promise<void> {
    if (saving) return
    setSaving(true)
    setFailure(undefined)
    await downloadFile(filePath(business.id, query), 'entries.csv').catch(setFailure)
    setSaving(false)
  }

  return (
    <Page
      title="Entries"
      tab={`Entries · ${business.name}`}
      lead="Every change of your balances. Entries cannot be changed or deleted."
      actions={
        <button type="button" className="button" aria-disabled={saving} onClick={() => void save()}>
          {saving ? 'Preparing the file…' : 'Download CSV'}
        </button>
      }
    >
      {failure !== undefined && <Failed error={failure} />}
      <EntrySearch search={search} onSearch={(given) => setSearch(given)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'There is no entry yet.'}>
              {search.size > 0 && <p>Search for less, or for a longer time.</p>}
            </Empty>
          ) : (
            <>
              <EntryTable entries={rows} />
              <More
                pages={pages}
                shown={rows.length}
                total={total}
                atLeast={total === maxCounted}
                next={nextCursor}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
