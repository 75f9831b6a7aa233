import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { ShortAddress } from '../../ui/ShortAddress.tsx'
import { Time } from '../../ui/Time.tsx'
import { readable } from '../books/readable.ts'
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
                {`${readable(swap.sellAmount).text} ${soldName(swap)}`}
              </Link>
              <span className="fine">{`${chainLabel(swap.chain)}, by ${providerNames[swap.provider]}`}</span>
            </>
          ),
        },
        {
          head: 'Buys',
          cell: (swap) => (
            <>
              <span className="amount">{`${readable(swap.buyAmount).text} ${boughtName(swap)}`}</span>
              <span className="fine">{`at least ${readable(swap.minBuyAmount).text}`}</span>
            </>
          ),
        },
        {
          head: 'From',
          cell: ({ fromAddress, toAddress }) => (
            <>
              <ShortAddress of={fromAddress} />
              {toAddress !== fromAddress && (
                <span className="fine">
                  to <ShortAddress of={toAddress} />
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
