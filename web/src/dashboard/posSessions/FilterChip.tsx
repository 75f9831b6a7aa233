interface Props {
  label: string
  /** Empty: any. */
  value: string
  choices: { value: string; label: string }[]
  onChoose: (value: string) => void
}

/** A filter in the size of its own words: what it is about, or what is chosen. */
export function FilterChip({ label, value, choices, onChoose }: Props) {
  return (
    <select
      className={value === '' ? 'chip' : 'chip chosen'}
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{value === '' ? label : `Any ${label.toLowerCase()}`}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
