import { useId } from 'react'

interface Props {
  name: string
  value: string
  label: string
  hint?: string
  checked: boolean
  onChange?: (checked: boolean) => void
}

export function Checkbox({ name, value, label, hint, checked, onChange }: Props) {
  const id = useId()
  return (
    <div className="choice">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={checked}
        onChange={(event) => onChange?.(event.target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="fine">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
