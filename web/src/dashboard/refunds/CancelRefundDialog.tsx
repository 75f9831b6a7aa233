import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { Refund } from './types.ts'

interface Props {
  refund: Refund
  onClose: () => void
  onDone: () => void
}

export function CancelRefundDialog({ refund, onClose, onDone }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function cancel(): Promise<void> {
    await api.call('cancelRefundOfBusiness', {
      path: { businessId: business.id, id: refund.sessionId, refundId: refund.id },
    })
    onDone()
    onClose()
    notify('The refund is cancelled. Its money is available again.')
  }
  return (
    <ConfirmDialog title="Cancel this refund?" confirm="Cancel refund" onClose={onClose} act={cancel}>
      <Facts facts={[['Amount', `${refund.amount} ${refund.token} on ${chainLabel(refund.chain)}`]]} />
      <p>Nothing is sent, and the amount is available again.{refund.claim && ' The link works no more.'}</p>
    </ConfirmDialog>
  )
}
