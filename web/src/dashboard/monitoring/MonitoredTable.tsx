import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import type { MonitoredAddress } from './types.ts'

export type EntryAction = 'change' | 'remove'

interface Props {
  entries: MonitoredAddress[]
  /** False: nothing can be changed. */
  act: ((what: EntryAction, entry: MonitoredAddress) => void) | false
}

export function MonitoredTable({ entries, act }: Props) {
  const columns: Column<MonitoredAddress>[] = [
    {
      head: 'Address',
      cell: ({ address, chain, tokens }) => (
        <>
          <code>{address}</code>
          <span className="fine">
            {chainLabel(chain)}, {tokens === 'all' ? 'every token' : 'known tokens'}
          </span>
        </>
      ),
    },
    {
      head: 'Since',
      cell: ({ createdAt, fromBlock }) => (
        <>
          <Time at={createdAt} />
          {fromBlock !== null && <span className="fine">from block {fromBlock.toLocaleString()}</span>}
        </>
      ),
    },
    { head: 'Metadata', cell: (entry) => <Shown entry={entry} /> },
  ]
  if (act)
    columns.push({ head: 'Actions', actions: true, cell: (entry) => <Actions entry={entry} act={act} /> })
  return <DataTable caption="Monitored addresses" rows={entries} keyOf={({ id }) => id} columns={columns} />
}

function Shown({ entry: { metadata, address } }: { entry: MonitoredAddress }) {
  if (!metadata || Object.keys(metadata).length === 0) return 'None'
  return (
    <details className="folded">
      <summary>
        Show<span className="unseen"> the metadata of {address}</span>
      </summary>
      <pre className="block">{JSON.stringify(metadata, null, 2)}</pre>
    </details>
  )
}

function Actions({
  entry,
  act,
}: {
  entry: MonitoredAddress
  act: (what: EntryAction, entry: MonitoredAddress) => void
}) {
  const button = (what: EntryAction, label: string, tone: string) => (
    <button
      type="button"
      className={`button ${tone}`}
      aria-label={`${label} ${entry.address} on ${chainLabel(entry.chain)}`}
      onClick={() => act(what, entry)}
    >
      {label}
    </button>
  )
  return (
    <>
      {button('change', 'Change', '')}
      {button('remove', 'Remove', 'danger')}
    </>
  )
}
