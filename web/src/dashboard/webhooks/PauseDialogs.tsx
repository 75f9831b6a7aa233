import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { Endpoint } from './types.ts'

interface Props {
  endpoint: Endpoint
  onClose: () => void
  onChanged: () => void
}

export function PauseDialog({ endpoint, onClose, onChanged }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function pause(): Promise<void> {
    await api.call('pauseWebhookEndpointOfBusiness', { path: { businessId: business.id, id: endpoint.id } })
    onChanged()
    onClose()
    notify('The endpoint is paused.')
  }
  return (
    <ConfirmDialog
      title="Pause this endpoint?"
      confirm="Pause endpoint"
      danger={false}
      onClose={onClose}
      act={pause}
    >
      <p>Nothing is sent to it until you or another member resumes it. Events wait until then.</p>
    </ConfirmDialog>
  )
}

export function ResumeDialog({ endpoint, onClose, onChanged }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const { waiting } = endpoint.health
  async function resume(): Promise<void> {
    await api.call('resumeWebhookEndpointOfBusiness', { path: { businessId: business.id, id: endpoint.id } })
    onChanged()
    onClose()
    notify('The endpoint takes webhooks again.')
  }
  return (
    <ConfirmDialog
      title="Resume this endpoint?"
      confirm="Resume endpoint"
      danger={false}
      onClose={onClose}
      act={resume}
    >
      {endpoint.pausedReason === 'gone' ? (
        <p>
          It gets events from now on. Earlier ones were not kept while it was gone; failed deliveries can be
          sent again.
        </p>
      ) : (
        <p>{waitingInWords(waiting)}</p>
      )}
    </ConfirmDialog>
  )
}

function waitingInWords(waiting: number): string {
  if (waiting === 0) return 'Nothing waits for it.'
  return waiting === 1
    ? '1 delivery waits for it, and is sent now.'
    : `${waiting.toLocaleString()} deliveries wait for it, and are sent now.`
}
