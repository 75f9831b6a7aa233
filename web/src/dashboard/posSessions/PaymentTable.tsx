import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { chainLabel } from '../labels.ts'
import { exceptionLabels, paymentLabels } from './sessionLabels.ts'
import { TransactionId } from './TransactionId.tsx'
import type { SessionPayment } from './types.ts'
import type { Explorers } from './useExplorers.ts'

interface Props {
  payments: SessionPayment[]
  explorers: Explorers
}

/** What came to the address of a session. */
export function PaymentTable({ payments, explorers }: Props) {
  return (
    <DataTable
      caption="What came"
      rows={payments}
      keyOf={(payment) => `${payments.indexOf(payment)} ${payment.txId}`}
      columns={[
        {
          head: 'Amount',
          cell: ({ amount, token, chain }) => (
            <>
              <span className="strong amount">{`${amount} ${token}`}</span>
              <span className="fine">{chainLabel(chain)}</span>
            </>
          ),
        },
        {
          head: 'Transaction',
          cell: ({ txId, chain, from, memo, blockHeight }) => (
            <>
              <TransactionId chain={chain} txId={txId} explorers={explorers} />
              <span className="fine">
                From <code>{from}</code>
                {memo && ` with memo ${memo}`}
              </span>
              <span className="fine">Block {blockHeight.toLocaleString()}</span>
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ status, exception, confirmations, requiredConfirmations }) => (
            <>
              <Badge tone={paymentLabels[status].tone}>{paymentLabels[status].label}</Badge>
              {status === 'seen' && requiredConfirmations !== null && (
                <span className="fine">
                  {Math.min(confirmations, requiredConfirmations)} of {requiredConfirmations} confirmations
                </span>
              )}
              {exception !== 'none' && <span className="fine">{exceptionLabels[exception]}</span>}
            </>
          ),
        },
        { head: 'Time', cell: ({ blockTime }) => <Time at={blockTime} /> },
      ]}
    />
  )
}
