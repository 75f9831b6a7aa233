import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { Transfer } from './types.ts'

interface Props {
  transfer: Transfer
  onClose: () => void
  onDone: () => void
}

export function CancelTransferDialog({ transfer: { id, txHash }, onClose, onDone }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function cancel(): Promise<void> {
    const { status } = await api.call('cancelTransferOfBusiness', { path: { businessId: business.id, id } })
    onDone()
    onClose()
    notify(status === 'pending' ? 'It is being cancelled.' : 'The transfer is cancelled.')
  }
  return (
    <ConfirmDialog title="Cancel this transfer?" confirm="Cancel transfer" onClose={onClose} act={cancel}>
      <p>
        {txHash === null
          ? 'It has not left yet: it ends at once.'
          : 'The network may have it already. Then it arrives all the same, and this page says so.'}
      </p>
    </ConfirmDialog>
  )
}
