import { Link } from 'wouter'
import { Badge } from '../../../ui/Badge.tsx'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { More } from '../../../ui/More.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Time } from '../../../ui/Time.tsx'
import { usePages } from '../../../ui/usePages.ts'
import { useBusiness } from '../../business/business.ts'
import { useApi } from '../../session/session.ts'
import { payoutsPath } from '../paths.ts'
import { batchStatusLabels, inPayouts, takenTexts } from './batchLabels.ts'
import { Lines } from './Lines.tsx'
import { batchPath, payManyPath } from './paths.ts'

/** Batches of payouts, the newest first. */
export function BatchesPage() {
  const api = useApi()
  const { business } = useBusiness()
  const pages = usePages(business.id, async (cursor, signal) => {
    const path = { businessId: business.id }
    const { batches, ...page } = await api.call('listPayoutBatchesOfBusiness', {
      path,
      query: { cursor },
      signal,
    })
    return { ...page, rows: batches }
  })
  return (
    <Page
      title="Payout batches"
      tab={`Payout batches · ${business.name}`}
      lead={<Link href={payoutsPath(business.id)}>All payouts</Link>}
    >
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title="There is no batch yet.">
              <p>
                A file of up to 1,000 payouts makes one: <Link href={payManyPath(business.id)}>Pay many</Link>
                .
              </p>
            </Empty>
          ) : (
            <>
              <DataTable
                caption="Payout batches"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: 'Batch',
                    cell: ({ id, payouts, reference }) => (
                      <>
                        <Link className="strong" href={batchPath(business.id, id)}>
                          {inPayouts(payouts)}
                        </Link>
                        {reference !== null && <span className="fine">{reference}</span>}
                      </>
                    ),
                  },
                  { head: 'Taken', cell: ({ totals }) => <Lines of={takenTexts(totals)} /> },
                  {
                    head: 'State',
                    cell: ({ status }) => (
                      <Badge tone={batchStatusLabels[status].tone}>{batchStatusLabels[status].label}</Badge>
                    ),
                  },
                  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
                ]}
              />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
