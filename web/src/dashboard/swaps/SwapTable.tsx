import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { swapPath } from './paths.ts'
import { boughtName, providerNames, soldName, swapReasonLabels, swapStatusLabels } from './swapLabels.ts'
import type { SwapItem } from './types.ts'

export function SwapTable({ swaps }: { swaps: SwapItem[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Swaps"
      rows={swaps}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Sells',
          cell: (swap) => (
            <>
              <Link className="strong amount" href={swapPath(business.id, swap.id)}>
                {`${swap.sellAmount} ${soldName(swap)}`}
              </Link>
              <span className="fine">{`${chainLabel(swap.chain)}, by ${providerNames[swap.provider]}`}</span>
            </>
          ),
        },
        {
          head: 'Buys',
          cell: (swap) => (
            <>
              <span className="amount">{`${swap.buyAmount} ${boughtName(swap)}`}</span>
              <span className="fine">{`at least ${swap.minBuyAmount}`}</span>
            </>
          ),
        },
        {
          head: 'From',
          cell: ({ fromAddress, toAddress }) => (
            <>
              <code>{fromAddress}</code>
              {toAddress !== fromAddress && (
                <span className="fine">
                  to <code>{toAddress}</code>
                </span>
              )}
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ status, reason }) => (
            <>
              <Badge tone={swapStatusLabels[status].tone}>{swapStatusLabels[status].label}</Badge>
              {reason && <span className="fine">{swapReasonLabels(reason)}</span>}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
