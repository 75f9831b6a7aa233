import { type ReactNode, useId } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  /** The secret's name: `API key`, `Invitation link`. */
  name: string
  secret: string
  children: ReactNode
  onClose: () => void
}

/** Shows a secret once. */
export function SecretDialog({ title, name, secret, children, onClose }: Props) {
  const id = useId()
  return (
    <Dialog title={title} onClose={onClose} staysOpen>
      <div className="notice warn">{children}</div>
      <div className="field">
        <label htmlFor={id}>{name}</label>
        <textarea
          id={id}
          className="secret"
          rows={2}
          readOnly
          value={secret}
          onFocus={(event) => event.target.select()}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <CopyButton text={secret} label={`Copy ${lowerFirst(name)}`} />
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  )
}

/** `API key` stays as it is; `Invitation link` becomes `invitation link`. */
function lowerFirst(name: string): string {
  return /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
}
