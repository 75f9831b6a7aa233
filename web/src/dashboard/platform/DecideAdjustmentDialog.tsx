import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useApi } from '../session/session.ts'
import { type Adjustment, accountOf } from './adjustmentWords.ts'

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
  const { id, amount, symbol, asset, debit, credit, reason, proposedBy } = adjustment
  async function decide(): Promise<void> {
    await api.call('decideAdjustment', { path: { adjustmentId: id }, body: { decision } })
    onDecided()
    onClose()
    notify(decision === 'approved' ? 'The adjustment is approved and posted.' : 'The adjustment is refused. Nothing is posted.')
  }
  return (
    <ConfirmDialog title={`${verb} this adjustment?`} confirm={`${verb} adjustment`} danger={decision === 'refused'} onClose={onClose} act={decide}>
      <Facts
        facts={[
          ['Amount', `${amount} ${symbol} (${asset})`],
          ['Debit', accountOf(debit, adjustment)],
          ['Credit', accountOf(credit, adjustment)],
          ['Reason', reason],
          ['Proposed by', proposedBy],
        ]}
      />
      {decision === 'approved' && <p>This is final: it is posted at once. A mistake needs another adjustment.</p>}
    </ConfirmDialog>
  )
}
