import { useSearchParams } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { exactTime } from '../../ui/localTime.ts'
import { Page } from '../../ui/Page.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { Amount } from '../books/Amount.tsx'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { LedgerClose } from './adjustmentLabels.ts'

/** The closes of the books, the newest first, a page at a time. */
export function ClosesPage() {
  const api = useApi()
  const [search, setSearch] = useSearchParams()
  const given = Number(search.get('page') ?? 1)
  const page = Number.isInteger(given) && given > 0 ? given : 1
  const closes = useLoaded(String(page), (signal) => api.call('listCloses', { query: { page }, signal }))
  const goTo = (next: number) => setSearch(next === 1 ? {} : { page: String(next) })
  return (
    <Page
      title="Closes"
      lead="Each close chains the entries since the one before by hash, compares balances with postings, and records how each chain compared with the books. There is one each day."
    >
      <Loaded of={closes}>
        {({ closes: rows, total, totalPages }) =>
          rows.length === 0 ? (
            <Empty title={total > 0 ? 'There is no such page.' : 'The books were not closed yet.'} />
          ) : (
            <>
              <CloseTable closes={rows} />
              {totalPages > 1 && (
                <div className="more">
                  <p className="fine" role="status">
                    Page {page} of {totalPages}
                  </p>
                  <div className="form-actions">
                    <button
                      type="button"
                      className="button"
                      disabled={page <= 1}
                      onClick={() => goTo(page - 1)}
                    >
                      Newer
                    </button>
                    <button
                      type="button"
                      className="button"
                      disabled={page >= totalPages}
                      onClick={() => goTo(page + 1)}
                    >
                      Older
                    </button>
                  </div>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

const counted = (differences: number): string =>
  differences === 1 ? '1 difference' : `${differences} differences`

function comparison({ chain, checkedAt, height, drifts, isOverdue }: LedgerClose['chains'][number]): string {
  const late = isOverdue ? ', not since the close before' : ''
  const name = chainLabel(chain)
  if (checkedAt === null) return `${name}: never compared${late}`
  const at = height === null ? '' : `, as of block ${height}`
  return `${name}: ${drifts === 0 ? 'it agrees' : counted(drifts ?? 0)}, compared ${exactTime(checkedAt)}${at}${late}`
}

/** What a check expects or finds; amounts are rounded for the eye. */
const Figure = ({ of }: { of: string }) => (/^-?\d+(\.\d+)?$/.test(of) ? <Amount of={of} /> : of)

function CloseTable({ closes }: { closes: LedgerClose[] }) {
  return (
    <DataTable
      caption="Closes"
      rows={closes}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Close', cell: ({ endedAt }) => <time dateTime={endedAt}>{exactTime(endedAt)}</time> },
        {
          head: 'Result',
          cell: ({ drifts, differences }) => (
            <>
              {drifts === 0 ? (
                <Badge tone="good">It agrees</Badge>
              ) : (
                <Badge tone="bad">{counted(drifts)}</Badge>
              )}
              {differences.map(({ kind, subject, expected, found }) => (
                <span key={`${kind} ${subject}`} className="fine">
                  {kind}: {subject}: expected <Figure of={expected} />, found <Figure of={found} />
                </span>
              ))}
              {drifts > differences.length && (
                <span className="fine">and {drifts - differences.length} more</span>
              )}
            </>
          ),
        },
        {
          head: 'Chains',
          cell: ({ chains }) => (
            <ul className="lines">
              {chains.map((of) => (
                <li key={of.chain} className="fine">
                  {comparison(of)}
                </li>
              ))}
            </ul>
          ),
        },
        { head: 'Entries', cell: ({ entries }) => entries },
        { head: 'Last hash', cell: ({ lastHash }) => <ShortId of={lastHash} /> },
      ]}
    />
  )
}
