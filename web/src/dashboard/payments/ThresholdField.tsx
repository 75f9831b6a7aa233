import { useId } from 'react'
import { useFieldError } from '../../ui/FormErrors.ts'

/** A field of a table, which its row and column label for those who see it. */
export function ThresholdField({ name, label, value }: { name: string; label: string; value: string }) {
  const id = useId()
  const error = useFieldError(name)
  return (
    <>
      <input
        name={name}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        defaultValue={value}
        inputMode="decimal"
        autoComplete="off"
        maxLength={60}
      />
      {error && (
        <p id={id} className="field-error">
          {error}
        </p>
      )}
    </>
  )
}
