import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useTell } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { chainLabel } from '../words.ts'
import type { SendApproval } from './types.ts'

interface Props {
  approval: SendApproval
  decision: 'approved' | 'refused'
  onClose: () => void
  onDecided: () => void
}

export function DecideDialog({ approval: { id, askedBy, transfer }, decision, onClose, onDecided }: Props) {
  const api = useApi()
  const tell = useTell()
  const { business } = useBusiness()
  const verb = decision === 'approved' ? 'Approve' : 'Refuse'
  async function decide(): Promise<void> {
    await api.call('decideApproval', { path: { businessId: business.id, approvalId: id }, body: { decision } })
    onDecided()
    onClose()
    tell(decision === 'approved' ? 'The transfer is approved. It is sent now.' : 'The transfer is refused. Nothing is sent.')
  }
  return (
    <ConfirmDialog title={`${verb} this transfer?`} confirm={`${verb} transfer`} danger={decision === 'refused'} onClose={onClose} act={decide}>
      <p>
        {transfer.amount} {transfer.symbol} on {chainLabel(transfer.chain)} to <code>{transfer.toAddress}</code>, asked for by {askedBy}.
      </p>
      {decision === 'approved' && <p>It cannot be taken back. The member who asked for it cannot approve it.</p>}
    </ConfirmDialog>
  )
}
