import { useId } from 'react'

interface Props {
  label: string
  value: string
  choices: { value: string; label: string }[]
  onChoose: (value: string) => void
}

/** Filters a list as soon as an option is chosen. */
export function Filter({ label, value, choices, onChoose }: Props) {
  const id = useId()
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}
