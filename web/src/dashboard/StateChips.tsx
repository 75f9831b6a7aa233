import { statesIn } from './statesIn.ts'

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
  choices: { value: string; label: string }[]
  /** Of the parameter in the page's URL. */
  name?: string
  label?: string
}

/** A chip for each state, of which any number can be chosen; with none chosen the list has all. */
export function StateChips({ search, onSearch, choices, name = 'status', label = 'State' }: Props) {
  const chosen = statesIn(search, name)
  function toggle(value: string): void {
    const others = chosen.filter((each) => each !== value)
    const next = others.length === chosen.length ? [...chosen, value] : others
    const { [name]: _, ...rest } = Object.fromEntries(search)
    onSearch(next.length === 0 ? rest : { ...rest, [name]: next.join(',') })
  }
  return (
    <fieldset className="state-chips">
      <legend>{label}</legend>
      <div className="chip-line">
        {choices.map((choice) => (
          <button
            key={choice.value}
            type="button"
            className="chip"
            aria-pressed={chosen.includes(choice.value)}
            onClick={() => toggle(choice.value)}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
