import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useApi } from '../session/session.ts'
import { type Adjustment, accountOf } from './adjustmentLabels.ts'
import { SentTo } from './SentTo.tsx'

interface Props {
  adjustment: Adjustment
  decision: 'approved' | 'refused'
  onClose: () => void
  onDecided: () => void
}

export function DecideAdjustmentDialog({ adjustment, decision, onClose, onDecided }: Props) {
  const api = useApi()
  const notify = useNotify()
  const verb = decision === 'approved' ? 'Approve' : 'Refuse'
  const { id, amount, symbol, asset, debit, credit, toAddress, reason, proposedBy } = adjustment
  const isReturn = toAddress !== null
  async function decide(): Promise<void> {
    await api.call('decideAdjustment', { path: { adjustmentId: id }, body: { decision } })
    onDecided()
    onClose()
    notify(outcomeOf(decision, isReturn))
  }
  return (
    <ConfirmDialog
      title={`${verb} this adjustment?`}
      confirm={`${verb} adjustment`}
      danger={decision === 'refused'}
      onClose={onClose}
      act={decide}
    >
      <Facts
        facts={[
          ['Amount', symbol === asset ? `${amount} ${symbol}` : `${amount} ${symbol} (${asset})`],
          ['Debit', accountOf(debit, adjustment)],
          ['Credit', accountOf(credit, adjustment)],
          ...(isReturn
            ? [['Goes back to', <SentTo key="to" adjustment={adjustment} />] satisfies [string, ReactNode]]
            : []),
          ['Reason', reason],
          ['Proposed by', proposedBy],
        ]}
      />
      {decision === 'approved' && (
        <p>
          {isReturn
            ? 'This is final: the payment is sent to this address. What was sent does not come back.'
            : 'This is final: it is posted at once. A mistake needs another adjustment.'}
        </p>
      )}
    </ConfirmDialog>
  )
}

function outcomeOf(decision: Props['decision'], isReturn: boolean): string {
  if (decision === 'refused')
    return isReturn ? 'It is refused. Nothing is sent.' : 'The adjustment is refused. Nothing is posted.'
  return isReturn ? 'It is approved. The payment is sent back.' : 'The adjustment is approved and posted.'
}
