import { type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import { describedBy, FieldShell } from './FieldShell.tsx'
import { useFieldError } from './FormErrors.ts'

interface Props extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'style' | 'className'> {
  name: string
  label: string
  hint?: ReactNode
}

export function TextArea({ label, hint, ...area }: Props) {
  const id = useId()
  const error = useFieldError(area.name)
  return (
    <FieldShell id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        rows={3}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...area}
      />
    </FieldShell>
  )
}
