import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'

interface Props {
  sessionId: string
  onClose: () => void
  onDone: () => void
}

export function CancelPaymentDialog({ sessionId, onClose, onDone }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function cancel(): Promise<void> {
    await api.call('cancelSessionOfBusiness', { path: { businessId: business.id, id: sessionId } })
    onDone()
    onClose()
    notify('The payment is cancelled.')
  }
  return (
    <ConfirmDialog title="Cancel this payment?" confirm="Cancel payment" onClose={onClose} act={cancel}>
      <p>
        Your customer can no longer pay it. Money that comes all the same is credited to you as late, and you
        decide about it.
      </p>
    </ConfirmDialog>
  )
}
