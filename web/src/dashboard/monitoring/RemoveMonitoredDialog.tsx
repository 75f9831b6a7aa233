import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import type { Chain } from '../payments/accepted.ts'
import { useApi } from '../session/session.ts'
import type { MonitoredAddress } from './types.ts'

interface Props {
  entry: MonitoredAddress
  onClose: () => void
  onRemoved: () => void
}

export function RemoveMonitoredDialog({ entry, onClose, onRemoved }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function remove(): Promise<void> {
    const body = { chain: entry.chain as Chain, address: entry.address }
    await api.call('removeMonitoredAddressOfBusiness', { path: { businessId: business.id }, body })
    onRemoved()
    onClose()
    notify('The address is no longer monitored.')
  }
  return (
    <ConfirmDialog
      title="Stop monitoring this address?"
      confirm="Stop monitoring"
      onClose={onClose}
      act={remove}
    >
      <p>
        New movements of <code>{entry.address}</code> on {chainLabel(entry.chain)} are no longer reported. For
        those already reported, you still get an event when they become final or are reverted.
      </p>
    </ConfirmDialog>
  )
}
