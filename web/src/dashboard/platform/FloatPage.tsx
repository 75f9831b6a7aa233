import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { Amount } from '../books/Amount.tsx'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'

type Float = DashboardAnswerOf<'listFloats'>['floats'][number]

/** What the treasury holds, by chain and asset. */
export function FloatPage() {
  const api = useApi()
  const floats = useLoaded('', (signal) => api.call('listFloats', { signal }))
  return (
    <Page
      title="Float"
      lead="What the treasury's own addresses hold. Below the low-water mark of the native coin no sweep is paid for."
    >
      <Loaded of={floats}>
        {({ floats: rows }) =>
          rows.length === 0 ? (
            <Empty title="The treasury's balances were not read yet.">
              <p>A worker reads them once the treasury has started.</p>
            </Empty>
          ) : (
            <FloatTable floats={rows} />
          )
        }
      </Loaded>
    </Page>
  )
}

function FloatTable({ floats }: { floats: Float[] }) {
  return (
    <DataTable
      caption="Float"
      rows={floats}
      keyOf={({ chain, symbol }) => `${chain} ${symbol}`}
      columns={[
        {
          head: 'Asset',
          cell: ({ chain, symbol }) => (
            <>
              <span className="strong whole">{symbol}</span>
              <span className="fine whole">{chainLabel(chain)}</span>
            </>
          ),
        },
        {
          head: 'Balance',
          cell: ({ balance, symbol, isLow }) => (
            <>
              <Amount of={balance} unit={symbol} /> {isLow && <Badge tone="bad">Low</Badge>}
            </>
          ),
        },
        {
          head: 'Low water',
          cell: ({ lowWater }) => (lowWater === '0' ? 'None' : <Amount of={lowWater} />),
        },
        { head: 'Address', cell: ({ address }) => (address ? <ShortId of={address} /> : 'Not known yet') },
        { head: 'Read', cell: ({ readAt }) => <Time at={readAt} /> },
      ]}
    />
  )
}
