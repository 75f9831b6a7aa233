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
import { AddDestinationDialog } from './AddDestinationDialog.tsx'
import { ArchiveDestinationDialog } from './ArchiveDestinationDialog.tsx'
import { DestinationTable } from './DestinationTable.tsx'
import { statusLabels } from './payoutLabels.ts'
import type { Destination, DestinationStatus } from './types.ts'

const isStatus = (text: string): text is DestinationStatus => Object.hasOwn(statusLabels, text)
const shown = [
  { value: '', label: 'All' },
  ...Object.entries(statusLabels).map(([value, { label }]) => ({ value, label })),
]

/** Bank accounts and wallets that payouts may go to. */
export function DestinationsPage() {
  const api = useApi()
  const { business, owns } = useBusiness()
  const path = { businessId: business.id }
  const [search, setSearch] = useSearchParams()
  const given = search.get('status') ?? ''
  const status = isStatus(given) ? given : undefined
  const [open, setOpen] = useState<'add' | Destination>()
  const close = () => setOpen(undefined)
  const pages = usePages(`${business.id} ${status}`, async (cursor, signal) => {
    const { destinations, ...page } = await api.call('listPayoutDestinationsOfBusiness', {
      path,
      query: { status, cursor },
      signal,
    })
    return { ...page, rows: destinations }
  })
  return (
    <Page
      title="Payout destinations"
      tab={`Payout destinations · ${business.name}`}
      lead="Bank accounts and wallets that your money may be paid to. A new one waits for its cooling-off time."
      actions={
        owns && (
          <button type="button" className="button primary" onClick={() => setOpen('add')}>
            Add a destination
          </button>
        )
      }
    >
      <Filter
        label="Show"
        value={status ?? ''}
        choices={shown}
        onChoose={(value) => setSearch(value ? { status: value } : {}, { replace: true })}
      />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={status ? 'Nothing was found.' : 'There is no destination yet.'}>
              {!owns && <p>Only an owner can add one.</p>}
            </Empty>
          ) : (
            <>
              <DestinationTable destinations={rows} onArchive={owns && setOpen} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      {open === 'add' && <AddDestinationDialog onClose={close} onAdded={pages.reload} />}
      {typeof open === 'object' && (
        <ArchiveDestinationDialog destination={open} onClose={close} onArchived={pages.reload} />
      )}
    </Page>
  )
}
