import { useId, useState } from 'react'
import { describedBy, FieldShell } from './FieldShell.tsx'
import { useFieldError } from './FormErrors.ts'

interface Props {
  name: string
  label: string
  /** A new password has a minimum length; the current one may be shorter. */
  isNew?: boolean
}

const minPassword = 12

export function PasswordField({ name, label, isNew = false }: Props) {
  const id = useId()
  const error = useFieldError(name)
  const [seen, setSeen] = useState(false)
  const hint = isNew
    ? `At least ${minPassword} characters. A few words that you can remember are good.`
    : undefined
  return (
    <FieldShell id={id} label={label} hint={hint} error={error}>
      <div className="with-button">
        <input
          id={id}
          name={name}
          type={seen ? 'text' : 'password'}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          minLength={isNew ? minPassword : undefined}
          maxLength={200}
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, hint, error)}
        />
        <button type="button" className="button" aria-pressed={seen} onClick={() => setSeen(!seen)}>
          Show
        </button>
      </div>
    </FieldShell>
  )
}
