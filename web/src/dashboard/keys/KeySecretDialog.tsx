import { SecretDialog } from '../../ui/SecretDialog.tsx'

export function KeySecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog title="Your new API key" name="API key" secret={secret} onClose={onClose}>
      <p>This is the only time that the key is shown. Copy it now and keep it where only your server can read it. It cannot be shown again.</p>
    </SecretDialog>
  )
}
