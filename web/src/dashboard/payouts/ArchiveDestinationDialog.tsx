import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { describeDestination } from './payoutLabels.ts'
import type { Destination } from './types.ts'

interface Props {
  destination: Destination
  onClose: () => void
  onArchived: () => void
}

export function ArchiveDestinationDialog({ destination, onClose, onArchived }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function archive(): Promise<void> {
    await api.call('archivePayoutDestinationOfBusiness', {
      path: { businessId: business.id, id: destination.id },
    })
    onArchived()
    onClose()
    notify('The destination is archived.')
  }
  return (
    <ConfirmDialog
      title="Archive this destination?"
      confirm="Archive destination"
      onClose={onClose}
      act={archive}
    >
      <p>
        Nothing new is paid to <code>{describeDestination(destination)}</code>. You can save it again, with a
        new cooling-off time.
      </p>
    </ConfirmDialog>
  )
}
