import { useSearchParams } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Filter } from '../../ui/Filter.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { More } from '../../ui/More.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { usePages } from '../../ui/usePages.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { statusLabels, sweepStates } from './sweepLabels.ts'
import type { Sweep } from './types.ts'

const states = [
  { value: '', label: 'All' },
  ...Object.entries(sweepStates).map(([value, { label }]) => ({ value, label })),
]

/** Sweeps of the business's deposit addresses, the newest first. */
export function SweepsPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const given = search.get('state') ?? ''
  const state = Object.hasOwn(sweepStates, given) ? (given as Sweep['state']) : undefined
  const pages = usePages(`${business.id} ${state}`, async (cursor, signal) => {
    const { sweeps, ...page } = await api.call('listSweeps', {
      path: { businessId: business.id },
      query: { state, cursor },
      signal,
    })
    return { ...page, rows: sweeps }
  })
  return (
    <Page
      title="Sweeps"
      tab={`Sweeps · ${business.name}`}
      lead="Payments on their way from deposit addresses to the platform's treasury. An owner switches autosweep on under Settings, Payments."
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
            <Empty title={state ? 'No sweep was found.' : 'Nothing was swept yet.'} />
          ) : (
            <>
              <SweepTable sweeps={rows} />
              <More pages={pages} shown={rows.length} total={total} next={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function SweepTable({ sweeps }: { sweeps: Sweep[] }) {
  return (
    <DataTable
      caption="Sweeps"
      rows={sweeps}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Sweep',
          cell: ({ amount, symbol, chain }) => (
            <>
              <span className="strong amount">
                {amount} {symbol}
              </span>
              <span className="fine">{chainLabel(chain)}</span>
            </>
          ),
        },
        {
          head: 'From',
          cell: ({ address, txId }) => (
            <>
              <code>{address}</code>
              {txId && (
                <span className="fine">
                  Transaction <code>{txId}</code>
                </span>
              )}
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ state, status, reason }) => (
            <>
              <Badge tone={sweepStates[state].tone}>{sweepStates[state].label}</Badge>
              {state === 'open' && <span className="fine">{statusLabels[status]}</span>}
              {reason && status !== 'waiting' && <span className="fine">{reason.replaceAll('_', ' ')}</span>}
            </>
          ),
        },
        { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
      ]}
    />
  )
}
