import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { trimmed } from '../formData.ts'
import { chainChoices, tokenChoices } from '../labels.ts'
import { FilterChip } from './FilterChip.tsx'
import { periods } from './period.ts'
import { exceptionLabels, statusLabels } from './sessionLabels.ts'

const statuses = Object.entries(statusLabels).map(([value, { label }]) => ({ value, label }))
const exceptions = Object.entries(exceptionLabels).map(([value, label]) => ({ value, label }))
const times = [
  ...Object.entries(periods).map(([value, label]) => ({ value, label })),
  { value: 'between', label: 'From, to…' },
]

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

/** One field for all texts and amounts; filters are chips, in one line that scrolls on a phone. */
export function SessionSearch({ search, onSearch }: Props) {
  const given = (name: string) => search.get(name) ?? ''
  function change(changes: Record<string, string>): void {
    const all = { ...Object.fromEntries(search), ...changes }
    onSearch(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')))
  }
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    change({ search: trimmed(data, 'search'), since: trimmed(data, 'since'), until: trimmed(data, 'until') })
  }
  const chip = (name: string, label: string, choices: { value: string; label: string }[]) => (
    <FilterChip
      label={label}
      value={given(name)}
      choices={choices}
      onChoose={(value) => change({ [name]: value, ...(name === 'period' && { since: '', until: '' }) })}
    />
  )
  return (
    <search>
      <form className="payment-search" key={search.toString()} onSubmit={submitted}>
        <div className="payment-search-line">
          <Field
            name="search"
            label="Search"
            type="search"
            placeholder="Reference, label, address, transaction or amount"
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
          {chip('period', 'Time', times)}
          {chip('status', 'State', statuses)}
          {chip('exception', 'What came', exceptions)}
          {chip('chain', 'Network', chainChoices)}
          {chip('token', 'Token', tokenChoices)}
          {search.size > 0 && (
            <button type="button" className="chip" onClick={() => onSearch({})}>
              Clear
            </button>
          )}
        </div>
        {given('period') === 'between' && (
          <div className="amount-fields even">
            <Field name="since" label="From" type="datetime-local" defaultValue={given('since')} />
            <Field name="until" label="To" type="datetime-local" defaultValue={given('until')} />
          </div>
        )}
      </form>
    </search>
  )
}
