import { useId } from 'react'

interface Props {
  /** As `2026-11`. */
  value: string
  max: string
  onChoose: (month: string) => void
}

/** Chooses a month. Browsers without such a field take it as text. */
export function MonthField({ value, max, onChoose }: Props) {
  const id = useId()
  return (
    <div className="filter">
      <label htmlFor={id}>Month</label>
      <input
        key={value}
        id={id}
        type="month"
        defaultValue={value}
        max={max}
        pattern="[0-9]{4}-[0-9]{2}"
        onChange={({ target }) => {
          if (/^\d{4}-\d{2}$/.test(target.value) && target.value <= max && target.value !== value)
            onChoose(target.value)
        }}
      />
    </div>
  )
}
