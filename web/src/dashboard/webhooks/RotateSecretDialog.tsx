import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { SigningKey } from './NewSigningKey.tsx'
import type { Endpoint } from './types.ts'

interface Props {
  endpoint: Endpoint
  onClose: () => void
  onRotated: (key: SigningKey) => void
}

export function RotateSecretDialog({ endpoint, onClose, onRotated }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const what = endpoint.signature === 'hmac' ? 'secret' : 'key'
  async function rotate(): Promise<void> {
    onRotated(await api.call('rotateWebhookSecretOfBusiness', { path: { businessId: business.id, id: endpoint.id } }))
  }
  return (
    <ConfirmDialog title={`Make a new signing ${what}?`} confirm={`Make new ${what}`} danger={false} onClose={onClose} act={rotate}>
      <p>For 24 hours every webhook is signed with both, the old {what} and the new one. Give the new one to your server in that time.</p>
      {endpoint.previousSecretUntil && (
        <p>
          An earlier change has not finished. The {what} before it, which would sign until <Time at={endpoint.previousSecretUntil} />, stops at once.
        </p>
      )}
    </ConfirmDialog>
  )
}
