import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { ApprovalTable } from './ApprovalTable.tsx'
import { DecideDialog } from './DecideDialog.tsx'
import type { SendApproval } from './types.ts'

const shown = [
  { value: '', label: 'What waits' },
  { value: 'all', label: 'All' },
]

/** Approvals by a second owner, open and decided. */
export function ApprovalsPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const waiting = search.get('show') !== 'all'
  const [open, setOpen] = useState<{ approval: SendApproval; decision: 'approved' | 'refused' }>()
  const pages = usePages(`${business.id} ${waiting}`, async (cursor, signal) => {
    const { approvals, ...page } = await api.call('listApprovals', {
      path: { businessId: business.id },
      query: { waiting, cursor },
      signal,
    })
    return { ...page, rows: approvals }
  })
  const rows = pages.now.state === 'ready' ? pages.now.value.rows : []
  return (
    <Page
      title="Approvals"
      tab={`Approvals · ${business.name}`}
      lead="Transfers from stored wallets, payouts and refunds above the amounts that an owner set, new payout destinations, settings that protect less, and new owners. Nothing is done before an owner who is independent of the request approves it."
    >
      <Filter
        label="Show"
        value={waiting ? '' : 'all'}
        choices={shown}
        onChoose={(value) => setSearch(value ? { show: value } : {}, { replace: true })}
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={waiting ? 'Nothing waits for approval.' : 'Nothing has needed an approval yet.'} />
          ) : (
            <>
              <ApprovalTable
                approvals={rows}
                onDecide={(approval, decision) => setOpen({ approval, decision })}
              />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {open && (
        <DecideDialog
          // As it was loaded last: what waits may have changed since it was opened.
          approval={rows.find(({ id }) => id === open.approval.id) ?? open.approval}
          decision={open.decision}
          onClose={() => setOpen(undefined)}
          onDecided={pages.reload}
        />
      )}
    </Page>
  )
}
