import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useApi } from '../session/session.ts'
import { AdjustmentTable } from './AdjustmentTable.tsx'
import { type Adjustment, adjustmentStates } from './adjustmentLabels.ts'
import { DecideAdjustmentDialog } from './DecideAdjustmentDialog.tsx'
import { ProposeAdjustmentDialog } from './ProposeAdjustmentDialog.tsx'

const states = [
  { value: '', label: 'All' },
  ...Object.entries(adjustmentStates).map(([value, { label }]) => ({ value, label })),
]

/** Adjustments of the books, proposed by one operator and approved by another. */
export function AdjustmentsPage() {
  const api = useApi()
  const [search, setSearch] = useSearchParams()
  const given = search.get('state') ?? ''
  const state = Object.hasOwn(adjustmentStates, given) ? (given as Adjustment['state']) : undefined
  const [open, setOpen] = useState<'propose' | { adjustment: Adjustment; decision: 'approved' | 'refused' }>()
  const pages = usePages(state ?? '', async (cursor, signal) => {
    const { adjustments, ...page } = await api.call('listAdjustments', { query: { state, cursor }, signal })
    return { ...page, rows: adjustments }
  })
  const close = () => setOpen(undefined)
  return (
    <Page
      title="Adjustments"
      lead="Corrections of the books. One operator proposes, another one approves: nothing is posted before."
      actions={
        <button type="button" className="button primary" onClick={() => setOpen('propose')}>
          Propose an adjustment
        </button>
      }
    >
      <Filter
        label="State"
        value={state ?? ''}
        choices={states}
        onChoose={(value) => setSearch(value ? { state: value } : {}, { replace: true })}
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={state ? 'No adjustment was found.' : 'Nothing was adjusted yet.'} />
          ) : (
            <>
              <AdjustmentTable
                adjustments={rows}
                onDecide={(adjustment, decision) => setOpen({ adjustment, decision })}
              />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {open === 'propose' && <ProposeAdjustmentDialog onClose={close} onProposed={pages.reload} />}
      {open && open !== 'propose' && (
        <DecideAdjustmentDialog {...open} onClose={close} onDecided={pages.reload} />
      )}
    </Page>
  )
}
