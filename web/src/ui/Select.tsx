import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import { describedBy, FieldShell } from './FieldShell.tsx'
import { useFieldError } from './FormErrors.ts'

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'style' | 'className'> {
  name: string
  label: string
  hint?: ReactNode
  choices: { value: string; label: string }[]
}

export function Select({ label, hint, choices, ...select }: Props) {
  const id = useId()
  const error = useFieldError(select.name)
  return (
    <FieldShell id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...select}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </FieldShell>
  )
}
