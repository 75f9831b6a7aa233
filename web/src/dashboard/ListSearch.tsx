import type { FormEvent } from 'react'
import { Field } from '../ui/Field.tsx'
import { zoneLabel } from '../ui/zone.ts'
import { useZone } from '../ui/zoneOfPage.ts'
import { trimmed } from './formData.ts'
import { isPeriod, periods } from './periods.ts'
import { FilterChip } from './posSessions/FilterChip.tsx'
import { StateChips } from './StateChips.tsx'
import { TimeFields } from './TimeFields.tsx'

export interface ListFilter {
  name: string
  label: string
  choices: { value: string; label: string }[]
}

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
  /** Of the field for texts; left out if the list is found by filters only. */
  placeholder?: string
  filters: ListFilter[]
  /** A chip for each, of which several can be chosen: `status` in the page's URL. */
  states?: ListFilter['choices']
  /** With a chip for the time: a period, or from and to. */
  byTime?: boolean
}

const times = [
  ...Object.entries(periods).map(([value, label]) => ({ value, label })),
  { value: 'between', label: 'From, to…' },
]

/** One field for texts; filters are chips, in one line that scrolls on a phone. */
export function ListSearch({ search, onSearch, placeholder, filters, states, byTime = false }: Props) {
  const timeZone = useZone()
  const given = (name: string) => search.get(name) ?? ''
  function change(changes: Record<string, string>): void {
    const all = { ...Object.fromEntries(search), ...changes }
    onSearch(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')))
  }
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const names = [...(placeholder === undefined ? [] : ['search']), ...(byTime ? ['since', 'until'] : [])]
    change(Object.fromEntries(names.map((name) => [name, trimmed(data, name)])))
  }
  return (
    <search className="payment-search">
      <form className="payment-search" key={search.toString()} onSubmit={submitted}>
        {placeholder !== undefined && (
          <div className="payment-search-line">
            <Field
              name="search"
              label="Search"
              type="search"
              placeholder={placeholder}
              maxLength={200}
              defaultValue={given('search')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <button type="submit" className="button">
              Search
            </button>
          </div>
        )}
        <div className="chip-line">
          {byTime && (
            <FilterChip
              label="Time"
              value={given('period')}
              choices={times}
              onChoose={(period) => change({ period, since: '', until: '' })}
            />
          )}
          {isPeriod(given('period')) && <span className="fine">{zoneLabel(timeZone)}</span>}
          {filters.map(({ name, label, choices }) => (
            <FilterChip
              key={name}
              label={label}
              value={given(name)}
              choices={choices}
              onChoose={(value) => change({ [name]: value })}
            />
          ))}
          {search.size > 0 && (
            <button type="button" className="chip" onClick={() => onSearch({})}>
              Clear
            </button>
          )}
        </div>
        {byTime && given('period') === 'between' && (
          <div className="amount-fields even">
            <TimeFields search={search} />
            {placeholder === undefined && (
              <button type="submit" className="button">
                Search
              </button>
            )}
          </div>
        )}
      </form>
      {/* Outside of the form, which each search makes anew: the focus stays. */}
      {states && <StateChips search={search} onSearch={onSearch} choices={states} />}
    </search>
  )
}
