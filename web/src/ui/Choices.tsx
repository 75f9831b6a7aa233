import { useId } from 'react'
import { useFieldError } from './FormErrors.ts'

export interface Choice {
  value: string
  label: string
  hint?: string
}

interface Props {
  name: string
  legend: string
  choices: readonly Choice[]
  /** The initial choice. */
  chosen?: string
  onChoose?: (value: string) => void
  disabled?: boolean
}

/** One of a few, as radio buttons. */
export function Choices({ name, legend, choices, chosen, onChoose, disabled = false }: Props) {
  const id = useId()
  const error = useFieldError(name)
  return (
    <fieldset
      className={error ? 'field choices wrong' : 'field choices'}
      aria-describedby={error ? `${id}-error` : undefined}
      disabled={disabled}
    >
      <legend>{legend}</legend>
      {choices.map(({ value, label, hint }) => (
        <div className="choice" key={value}>
          <input
            type="radio"
            id={`${id}-${value}`}
            name={name}
            value={value}
            defaultChecked={value === chosen}
            required
            onChange={() => onChoose?.(value)}
            aria-describedby={hint ? `${id}-${value}-hint` : undefined}
          />
          <div>
            <label htmlFor={`${id}-${value}`}>{label}</label>
            {hint && (
              <p id={`${id}-${value}-hint`} className="fine">
                {hint}
              </p>
            )}
          </div>
        </div>
      ))}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
