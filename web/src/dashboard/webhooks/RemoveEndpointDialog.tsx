import { useLocation } from 'wouter'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Url } from '../../ui/Url.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { endpointsPath } from './paths.ts'
import type { Endpoint } from './types.ts'

export function RemoveEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const api = useApi()
  const { business } = useBusiness()
  const [, goTo] = useLocation()
  const { waiting } = endpoint.health
  async function remove(): Promise<void> {
    await api.call('removeWebhookEndpointOfBusiness', { path: { businessId: business.id, id: endpoint.id } })
    goTo(endpointsPath(business.id))
  }
  return (
    <ConfirmDialog title="Remove this endpoint?" confirm="Remove endpoint" onClose={onClose} act={remove}>
      <p>
        Nothing more is sent to{' '}
        <span className="strong">
          <Url of={endpoint.url} />
        </span>
        . {waiting > 0 && `Waiting deliveries (${waiting.toLocaleString()}) count as failed. `}
        Its deliveries stay in the lists. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
