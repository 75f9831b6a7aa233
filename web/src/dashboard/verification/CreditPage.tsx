import { Link } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { usePages } from '../../ui/usePages.ts'
import { EntryTable } from '../books/EntryTable.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'

/** What prepaid credit is in. */
const asset = 'USD'

/** Prepaid credit, and the entries that changed it, the newest first. */
export function CreditPage() {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id }
  const credit = useLoaded(business.id, (signal) =>
    api.call('listBalancesOfBusiness', { path, query: { asset }, signal }),
  )
  const pages = usePages(`credit ${business.id}`, async (cursor, signal) => {
    const { entries, ...page } = await api.call('listLedgerEntriesOfBusiness', {
      path,
      query: { asset, cursor },
      signal,
    })
    return { ...page, rows: entries }
  })
  return (
    <Page
      title="Credit"
      tab={`Credit · ${business.name}`}
      lead="Prepaid, in US dollars. Verifications, assessments and decisions are paid from it. The platform's operators top it up."
    >
      <Loaded of={credit}>
        {({ balances: [balance] }) => (
          <Facts
            facts={[
              ['Credit', `${balance?.credit ?? '0'} ${asset}`],
              ['Held for requests', `${balance?.creditHeld ?? '0'} ${asset}`],
            ]}
          />
        )}
      </Loaded>
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title="There is no entry yet.">
              <p>
                A top-up appears here, and what{' '}
                <Link href={`${businessPath(business.id)}/verifications`}>verifications</Link> cost.
              </p>
            </Empty>
          ) : (
            <>
              <EntryTable entries={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
