import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Failed } from '../../../ui/Failed.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { More } from '../../../ui/More.tsx'
import { useNotify } from '../../../ui/Notices.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'
import { useLoaded } from '../../../ui/useLoaded.ts'
import { usePages } from '../../../ui/usePages.ts'
import { downloadList } from '../../books/downloadList.ts'
import { useBusiness } from '../../business/business.ts'
import { useApi } from '../../session/session.ts'
import { businessPath } from '../../shell/navigation.ts'
import { PayoutTable } from '../PayoutTable.tsx'
import { BatchFacts } from './BatchFacts.tsx'
import { inPayouts, isUnderWay } from './batchLabels.ts'
import { batchesPath } from './paths.ts'

/** A batch that is under way is loaded again at this interval. */
const pollMs = 5000

/** One batch: how far it is, its payouts, and a file of what became of them. */
export function BatchPage({ batchId }: { batchId: string }) {
  const api = useApi()
  const notify = useNotify()
  const { business, owns, develops } = useBusiness()
  const [isCancelling, setCancelling] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const path = { businessId: business.id, id: batchId }
  const loaded = useLoaded(`${business.id} ${batchId}`, (signal) =>
    api.call('getPayoutBatchOfBusiness', { path, signal }),
  )
  const batch = loaded.now.state === 'ready' ? loaded.now.value : undefined
  const pages = usePages(`${business.id} ${batchId}`, async (cursor, signal) => {
    const { payouts, ...page } = await api.call('listPayoutsOfBusiness', {
      path: { businessId: business.id },
      query: { batchId, cursor },
      signal,
    })
    return { ...page, rows: payouts }
  })
  const { reload } = loaded
  const polls = batch !== undefined && isUnderWay(batch)
  useEffect(() => {
    if (!polls) return
    const timer = setInterval(reload, pollMs)
    return () => clearInterval(timer)
  }, [polls, reload])
  const revision = batch?.revision
  const { isFirstAlone, reload: reloadPayouts } = pages
  useEffect(() => {
    if (revision !== undefined && isFirstAlone) reloadPayouts()
  }, [revision, isFirstAlone, reloadPayouts])
  const open = batch ? batch.counts.awaiting_approval + batch.counts.pending : 0
  async function cancel(): Promise<void> {
    loaded.put(await api.call('cancelPayoutBatchOfBusiness', { path }))
    setCancelling(false)
    notify('What had not left is cancelled. Its money is available again.')
  }
  const refresh = () => {
    reload()
    reloadPayouts()
  }
  const save = () =>
    void downloadList(
      `/businesses/${business.id}/payouts?batchId=${batchId}&sort=ASC`,
      `payout-batch-${batchId}.csv`,
    )
      .then(() => setFailure(undefined))
      .catch(setFailure)
  return (
    <Page
      title={batch ? `Batch of ${inPayouts(batch.payouts)}` : 'Payout batch'}
      tab={`Payout batch · ${business.name}`}
      lead={<Link href={batchesPath(business.id)}>All batches</Link>}
      actions={
        batch && (
          <>
            {owns && batch.status === 'awaiting_approval' && (
              <Link className="button primary" href={`${businessPath(business.id)}/approvals`}>
                Decide
              </Link>
            )}
            <button type="button" className="button" onClick={refresh}>
              Refresh
            </button>
            <button type="button" className="button" onClick={save}>
              Save as CSV
            </button>
            {develops && open > 0 && (
              <button type="button" className="button danger" onClick={() => setCancelling(true)}>
                Cancel {inPayouts(open)}
              </button>
            )}
          </>
        )
      }
    >
      {failure !== undefined && <Failed error={failure} />}
      <Loaded of={loaded}>
        {(value) => (
          <div aria-live="polite">
            <BatchFacts batch={value} />
          </div>
        )}
      </Loaded>
      <Section title="Its payouts">
        <Loaded of={pages}>
          {({ rows, total, nextCursor }) => (
            <>
              <PayoutTable payouts={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )}
        </Loaded>
      </Section>
      {isCancelling && (
        <ConfirmDialog
          title={`Cancel ${inPayouts(open)}?`}
          confirm="Cancel payouts"
          onClose={() => setCancelling(false)}
          act={cancel}
        >
          <p>What has not left is not sent, and its money is available again. The others go on.</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
