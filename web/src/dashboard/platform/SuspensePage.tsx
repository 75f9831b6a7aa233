import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useApi } from '../session/session.ts'
import { AssignDialog } from './AssignDialog.tsx'
import { type SuspendedPayment, suspenseStates } from './adjustmentLabels.ts'
import { ReturnDialog } from './ReturnDialog.tsx'
import { type SuspenseAction, SuspenseTable } from './SuspenseTable.tsx'

const states = [
  ...Object.entries(suspenseStates).map(([value, { label }]) => ({ value, label })),
  { value: 'all', label: 'All' },
]

/** Payments that name no session. */
export function SuspensePage() {
  const api = useApi()
  const [search, setSearch] = useSearchParams()
  const given = search.get('state') ?? 'held'
  const state = Object.hasOwn(suspenseStates, given) ? (given as SuspendedPayment['state']) : undefined
  const [open, setOpen] = useState<{ payment: SuspendedPayment; what: SuspenseAction }>()
  const pages = usePages(state ?? '', async (cursor, signal) => {
    const { payments, ...page } = await api.call('listSuspense', { query: { state, cursor }, signal })
    return { ...page, rows: payments }
  })
  const dialog = { onClose: () => setOpen(undefined), onProposed: pages.reload }
  return (
    <Page
      title="Suspense"
      lead="Payments that came to a shared account or a staking address, and that nothing announced. Find the owner by sender and memo, and propose to give the payment to them, or to send it back."
    >
      <Filter
        label="State"
        value={state ?? 'all'}
        choices={states}
        onChoose={(value) => setSearch(value === 'held' ? {} : { state: value }, { replace: true })}
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={state === 'held' ? 'No payment is in suspense.' : 'No payment was found.'} />
          ) : (
            <>
              <SuspenseTable payments={rows} onChoose={(payment, what) => setOpen({ payment, what })} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {open?.what === 'give' && <AssignDialog {...dialog} payment={open.payment} />}
      {open?.what === 'return' && <ReturnDialog {...dialog} payment={open.payment} />}
    </Page>
  )
}
