import { SecretDialog } from '../../ui/SecretDialog.tsx'

interface Props {
  secret: string
  /** For web sites and apps: everyone may read it. */
  isPublic?: boolean
  onClose: () => void
}

export function KeySecretDialog({ secret, isPublic = false, onClose }: Props) {
  const keep = isPublic
    ? 'Copy it now, and put it into your web site or app'
    : 'Copy it now and keep it where only your server can read it'
  return (
    <SecretDialog title="Your new API key" name="API key" secret={secret} onClose={onClose}>
      <p>This is the only time that the key is shown. {keep}. It cannot be shown again.</p>
    </SecretDialog>
  )
}
