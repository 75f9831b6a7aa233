import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../words.ts'
import { type SuspendedPayment, suspenseStates } from './adjustmentWords.ts'

export type SuspenseAction = 'give' | 'return'

interface Props {
  payments: SuspendedPayment[]
  onChoose: (payment: SuspendedPayment, what: SuspenseAction) => void
}

export function SuspenseTable({ payments, onChoose }: Props) {
  return (
    <DataTable
      caption="Payments in suspense"
      rows={payments}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Payment',
          cell: ({ amount, symbol, chain, blockTime }) => (
            <>
              <span className="strong">
                {amount} {symbol}
              </span>
              <span className="fine">
                {chainLabel(chain)}, <Time at={blockTime} />
              </span>
            </>
          ),
        },
        {
          head: 'From',
          cell: ({ fromAddress, memo, memoType, txId }) => (
            <>
              <code>{fromAddress}</code>
              <span className="fine">{memo === null ? 'No memo' : `Memo ${memo} (${memoType})`}</span>
              <span className="fine">
                Transaction <code>{txId}</code>
              </span>
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ state, business, waitsForApproval }) => (
            <>
              <Badge tone={suspenseStates[state].tone}>{suspenseStates[state].label}</Badge>
              {business && <span className="fine">to {business.name}</span>}
              {state === 'held' && waitsForApproval && <span className="fine">A proposal waits under Adjustments.</span>}
            </>
          ),
        },
        {
          head: 'Decide',
          actions: true,
          cell: (payment) =>
            payment.state === 'held' && (
              <>
                <button
                  type="button"
                  className="button"
                  aria-label={`Give to a business: ${payment.amount} ${payment.symbol} of ${payment.txId}`}
                  onClick={() => onChoose(payment, 'give')}
                >
                  Give to a business
                </button>
                <button
                  type="button"
                  className="button"
                  aria-label={`Send back: ${payment.amount} ${payment.symbol} of ${payment.txId}`}
                  onClick={() => onChoose(payment, 'return')}
                >
                  Send back
                </button>
              </>
            ),
        },
      ]}
    />
  )
}
