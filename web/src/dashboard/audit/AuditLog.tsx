import { useSearchParams } from 'wouter'
import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useZone } from '../../ui/zoneOfPage.ts'
import { AuditEntryItem } from './AuditEntryItem.tsx'
import { AuditSearch } from './AuditSearch.tsx'
import { type AuditQuery, readAuditQuery } from './auditQuery.ts'

interface Props {
  /** Names the log, so that a change of it loads the other one. */
  of: string
  list: (
    query: AuditQuery & { cursor: string | undefined },
    signal?: AbortSignal,
  ) => Promise<DashboardAnswerOf<'listAudit'>>
  withBusiness?: boolean
  /** Parts of the URL that a search leaves as they are. */
  kept?: Record<string, string>
}

/** An audit log, the newest first; the search is in the page's URL. */
export function AuditLog({ of, list, withBusiness = false, kept = {} }: Props) {
  const [search, setSearch] = useSearchParams()
  const query = readAuditQuery(search, useZone())
  const pages = usePages(`${of} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { entries, ...page } = await list({ ...query, cursor }, signal)
    return { ...page, rows: entries }
  })
  return (
    <>
      <AuditSearch search={search} onSearch={(given) => setSearch({ ...kept, ...given })} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'Nothing was changed yet.'}>
              {search.size > 0 && <p>Search for less, or for a longer time.</p>}
            </Empty>
          ) : (
            <>
              <ol className="entries" aria-label="Entries">
                {rows.map((entry) => (
                  <AuditEntryItem key={entry.id} entry={entry} withBusiness={withBusiness} />
                ))}
              </ol>
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
