import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { type SuspendedPayment, suspenseStates } from './adjustmentLabels.ts'

export type SuspenseAction = 'give' | 'return'

interface Props {
  payments: SuspendedPayment[]
  onChoose: (payment: SuspendedPayment, what: SuspenseAction) => void
}

const giveLabel = ({ isOfStaking }: SuspendedPayment) =>
  isOfStaking ? 'Give to its owner' : 'Give to a business'

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
          cell: ({ state, business, account, waitsForApproval }) => (
            <>
              <Badge tone={suspenseStates[state].tone}>{suspenseStates[state].label}</Badge>
              {business && <span className="fine">to {business.name}</span>}
              {account && <span className="fine">to {account} of the platform</span>}
              {state === 'held' && waitsForApproval && (
                <span className="fine">A proposal waits under Adjustments.</span>
              )}
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
                  aria-label={`${giveLabel(payment)}: ${payment.amount} ${payment.symbol} of ${payment.txId}`}
                  onClick={() => onChoose(payment, 'give')}
                >
                  {giveLabel(payment)}
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
