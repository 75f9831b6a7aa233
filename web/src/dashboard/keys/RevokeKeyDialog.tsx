import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { ApiKey } from '../types.ts'

interface Props {
  apiKey: ApiKey
  onClose: () => void
  onRevoked: (key: ApiKey) => void
}

export function RevokeKeyDialog({ apiKey, onClose, onRevoked }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function revoke(): Promise<void> {
    onRevoked(await api.call('revokeKey', { path: { businessId: business.id, keyId: apiKey.id } }))
    onClose()
    notify('The key is revoked.')
  }
  return (
    <ConfirmDialog title="Revoke this key?" confirm="Revoke key" onClose={onClose} act={revoke}>
      <p>
        Requests with {apiKey.name} (<code>{apiKey.prefix}…</code>) are refused at once, forever. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  )
}
