import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { isChain } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { AddAddressDialog } from './AddAddressDialog.tsx'
import { ChangeMonitoredDialog } from './ChangeMonitoredDialog.tsx'
import { ImportsSection } from './ImportsSection.tsx'
import { MonitoredSearch } from './MonitoredSearch.tsx'
import { type EntryAction, MonitoredTable } from './MonitoredTable.tsx'
import { RemoveMonitoredDialog } from './RemoveMonitoredDialog.tsx'
import type { MonitoredAddress } from './types.ts'

type Open = { what: 'add' } | { what: EntryAction; entry: MonitoredAddress }

const latestImports = 5

/** Monitored addresses. */
export function MonitoringPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const path = { businessId: business.id }
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const given = search.get('chain') ?? ''
  const query = {
    chain: isChain(given) ? given : undefined,
    address: search.get('address')?.trim() || undefined,
  }
  const pages = usePages(`${business.id} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const { addresses, ...page } = await api.call('listMonitoredAddressesOfBusiness', {
      path,
      query: { ...query, cursor },
      signal,
    })
    return { ...page, rows: addresses }
  })
  const imports = useLoaded(business.id, (signal) =>
    api.call('listMonitoringImportsOfBusiness', { path, query: { limit: latestImports }, signal }),
  )
  /** Removes the row at once; the focus moves to the page instead of being lost. */
  function removed({ id }: MonitoredAddress): void {
    if (pages.now.state !== 'ready') return
    const { rows, total, nextCursor } = pages.now.value
    pages.put({ rows: rows.filter((each) => each.id !== id), total: total - 1, nextCursor })
  }
  function added(): void {
    pages.reload()
    imports.reload()
  }
  return (
    <Page
      title="Monitored addresses"
      tab={`Monitored addresses · ${business.name}`}
      lead="Your servers get an event for every movement to or from these."
      actions={
        develops && (
          <button type="button" className="button primary" onClick={() => setOpen({ what: 'add' })}>
            Monitor an address
          </button>
        )
      }
    >
      <MonitoredSearch search={search} onSearch={(wanted) => setSearch(wanted)} />
      <Loaded of={pages}>
        {({ rows, total, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title={search.size > 0 ? 'Nothing was found.' : 'No address is monitored yet.'}>
              {search.size > 0 && <p>Search for less.</p>}
            </Empty>
          ) : (
            <>
              <MonitoredTable entries={rows} act={develops && ((what, entry) => setOpen({ what, entry }))} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
      <Loaded of={imports}>
        {(value) => <ImportsSection imports={value.imports} reload={imports.reload} />}
      </Loaded>
      {open?.what === 'add' && <AddAddressDialog onClose={close} onAdded={added} />}
      {open?.what === 'change' && (
        <ChangeMonitoredDialog entry={open.entry} onClose={close} onChanged={pages.reload} />
      )}
      {open?.what === 'remove' && (
        <RemoveMonitoredDialog entry={open.entry} onClose={close} onRemoved={() => removed(open.entry)} />
      )}
    </Page>
  )
}
