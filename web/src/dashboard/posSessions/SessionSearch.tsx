import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { chainChoices, tokenChoices } from '../labels.ts'
import { exceptionLabels, statusLabels } from './sessionLabels.ts'

const names = ['search', 'status', 'exception', 'chain', 'token', 'reference', 'since', 'until'] as const
const statuses = [
  { value: '', label: 'All states' },
  ...Object.entries(statusLabels).map(([value, { label }]) => ({ value, label })),
]
const exceptions = [
  { value: '', label: 'Any' },
  ...Object.entries(exceptionLabels).map(([value, label]) => ({ value, label })),
]

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function SessionSearch({ search, onSearch }: Props) {
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onSearch(
      Object.fromEntries(
        names.map((name) => [name, trimmed(data, name)]).filter(([, value]) => value !== ''),
      ),
    )
  }
  const given = (name: string) => search.get(name) ?? undefined
  return (
    <search>
      <form key={search.toString()} className="search" onSubmit={submitted} aria-label="Search the payments">
        <Field
          name="search"
          label="Search"
          type="search"
          maxLength={200}
          defaultValue={given('search')}
          placeholder="The whole id, reference, address or transaction"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Select name="status" label="State" defaultValue={given('status')} choices={statuses} />
        <Select name="exception" label="What came" defaultValue={given('exception')} choices={exceptions} />
        <Select
          name="chain"
          label="Network"
          defaultValue={given('chain')}
          choices={[{ value: '', label: 'All networks' }, ...chainChoices]}
        />
        <Select
          name="token"
          label="Token"
          defaultValue={given('token')}
          choices={[{ value: '', label: 'All tokens' }, ...tokenChoices]}
        />
        <Field
          name="reference"
          label="Reference"
          maxLength={200}
          defaultValue={given('reference')}
          autoComplete="off"
          spellCheck={false}
        />
        <Field name="since" label="Created since" type="datetime-local" defaultValue={given('since')} />
        <Field name="until" label="Until" type="datetime-local" defaultValue={given('until')} />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </search>
  )
}
