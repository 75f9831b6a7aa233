import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { chainChoices } from '../labels.ts'

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function MonitoredSearch({ search, onSearch }: Props) {
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onSearch(
      Object.fromEntries(
        ['address', 'chain'].map((name) => [name, trimmed(data, name)]).filter(([, value]) => value !== ''),
      ),
    )
  }
  return (
    <SearchFold isUsed={search.size > 0}>
      <form
        key={search.toString()}
        className="search one-line"
        onSubmit={submitted}
        aria-label="Search the addresses"
      >
        <Field
          name="address"
          label="Address"
          type="search"
          maxLength={120}
          defaultValue={search.get('address') ?? undefined}
          placeholder="The whole address"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Select
          name="chain"
          label="Network"
          defaultValue={search.get('chain') ?? undefined}
          choices={[{ value: '', label: 'All networks' }, ...chainChoices]}
        />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </SearchFold>
  )
}
