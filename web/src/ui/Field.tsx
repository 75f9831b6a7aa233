import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { describedBy, FieldShell } from './FieldShell.tsx'
import { useFieldError } from './FormErrors.ts'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'style' | 'className'> {
  name: string
  label: string
  hint?: ReactNode
}

export function Field({ label, hint, ...input }: Props) {
  const id = useId()
  const error = useFieldError(input.name)
  return (
    <FieldShell id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...input}
      />
    </FieldShell>
  )
}
