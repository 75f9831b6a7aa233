import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { VerificationKey } from './types.ts'

interface Props {
  verificationKey: VerificationKey
  onClose: () => void
  onRevoked: () => void
}

export function RevokeVerificationKeyDialog({ verificationKey, onClose, onRevoked }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function revoke(): Promise<void> {
    await api.call('revokeVerificationKey', { path: { businessId: business.id, keyId: verificationKey.id } })
    onRevoked()
    onClose()
    notify('The key is revoked.')
  }
  return (
    <ConfirmDialog title="Revoke this key?" confirm="Revoke key" onClose={onClose} act={revoke}>
      <p>
        Requests with {verificationKey.name} (<code>{verificationKey.prefix}…</code>) are refused at once,
        forever. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
