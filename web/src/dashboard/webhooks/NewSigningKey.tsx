import { useId } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Endpoint } from './types.ts'

export interface SigningKey {
  endpoint: Endpoint
  /** Null if the endpoint has a public key instead. */
  secret: string | null
}

/** The key with which a server checks webhooks: a secret, shown once, or a public key. */
export function NewSigningKey({ endpoint, secret, onClose }: SigningKey & { onClose: () => void }) {
  const id = useId()
  const overlap = endpoint.previousSecretUntil && (
    <p>
      Until <Time at={endpoint.previousSecretUntil} /> webhooks are also signed with the old one.
    </p>
  )
  if (secret) {
    return (
      <SecretDialog title="Your signing secret" name="Signing secret" secret={secret} onClose={onClose}>
        <p>
          This is the only time that the secret is shown. Copy it now and give it to the server that takes
          your webhooks.
        </p>
        {overlap}
      </SecretDialog>
    )
  }
  const publicKey = endpoint.publicKey ?? ''
  return (
    <Dialog title="Your public key" onClose={onClose}>
      <p>
        Your server checks webhooks with it. It is not secret, and the page of the endpoint always shows it.
      </p>
      {overlap}
      <div className="field">
        <label htmlFor={id}>Public key</label>
        <textarea
          id={id}
          className="secret"
          rows={2}
          readOnly
          value={publicKey}
          onFocus={(event) => event.target.select()}
          spellCheck={false}
        />
      </div>
      <CopyButton text={publicKey} label="Copy public key" />
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
