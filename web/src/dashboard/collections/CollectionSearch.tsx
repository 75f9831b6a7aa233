import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { TimeFields } from '../TimeFields.tsx'
import { collectionStatusLabels } from './collectionLabels.ts'

const names = ['status', 'currency', 'reference', 'since', 'until'] as const
const statuses = [
  { value: '', label: 'All states' },
  ...Object.entries(collectionStatusLabels).map(([value, { label }]) => ({ value, label })),
]

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function CollectionSearch({ search, onSearch }: Props) {
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
    <SearchFold isUsed={search.size > 0}>
      <form
        key={search.toString()}
        className="search one-line"
        onSubmit={submitted}
        aria-label="Search the collections"
      >
        <Select name="status" label="State" defaultValue={given('status')} choices={statuses} />
        <Field
          name="currency"
          label="Currency"
          maxLength={3}
          placeholder="NGN"
          defaultValue={given('currency')}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          name="reference"
          label="Reference"
          maxLength={200}
          defaultValue={given('reference')}
          autoComplete="off"
          spellCheck={false}
        />
        <TimeFields search={search} since={{ label: 'Created from' }} />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </SearchFold>
  )
}
