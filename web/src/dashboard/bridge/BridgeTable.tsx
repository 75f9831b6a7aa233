import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { readable } from '../books/readable.ts'
import { useBusiness } from '../business/business.ts'
import { Place } from './BridgeFacts.tsx'
import { bridgeStatusLabels, delayLabels, speedLabels } from './bridgeLabels.ts'
import { bridgePath } from './paths.ts'
import type { BridgeTransfer } from './types.ts'

export function BridgeTable({ transfers }: { transfers: BridgeTransfer[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Bridge transfers"
      rows={transfers}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Amount',
          cell: ({ id, amount, speed, automatic }) => (
            <>
              <Link className="strong amount" href={bridgePath(business.id, id)}>
                {`${readable(amount).text} USDC`}
              </Link>
              <span className="fine">
                {speedLabels[speed]}
                {automatic && ', minted by Circle'}
              </span>
            </>
          ),
        },
        {
          head: 'From',
          cell: ({ sourceChain, sourceAddress }) => (
            <Place chain={sourceChain} address={sourceAddress} isShort />
          ),
        },
        {
          head: 'To',
          cell: ({ destinationChain, destinationAddress }) => (
            <Place chain={destinationChain} address={destinationAddress} isShort />
          ),
        },
        {
          head: 'Received',
          cell: ({ amountReceived }) =>
            amountReceived ? <span className="amount">{`${readable(amountReceived).text} USDC`}</span> : '–',
        },
        {
          head: 'State',
          cell: ({ status, delay }) => (
            <>
              <Badge tone={bridgeStatusLabels[status].tone}>{bridgeStatusLabels[status].label}</Badge>
              {delay && <span className="fine">{delayLabels(delay)}</span>}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
