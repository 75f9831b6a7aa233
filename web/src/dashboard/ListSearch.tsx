import type { FormEvent, ReactNode } from 'react'
import { Field } from '../ui/Field.tsx'
import { trimmed } from './formData.ts'
import { FilterChip } from './posSessions/FilterChip.tsx'

export interface ListFilter {
  name: string
  label: string
  choices: { value: string; label: string }[]
}

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
  placeholder: string
  filters: ListFilter[]
  /** Fields that a filter opens; their names. */
  more?: { fields: ReactNode; names: string[] } | undefined
}

/** One field for texts; filters are chips, in one line that scrolls on a phone. */
export function ListSearch({ search, onSearch, placeholder, filters, more }: Props) {
  const given = (name: string) => search.get(name) ?? ''
  function change(changes: Record<string, string>): void {
    const all = { ...Object.fromEntries(search), ...changes }
    onSearch(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')))
  }
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const names = ['search', ...(more?.names ?? [])]
    change(Object.fromEntries(names.map((name) => [name, trimmed(data, name)])))
  }
  return (
    <search>
      <form className="payment-search" key={search.toString()} onSubmit={submitted}>
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
        <div className="chip-line">
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
        {more?.fields}
      </form>
    </search>
  )
}
