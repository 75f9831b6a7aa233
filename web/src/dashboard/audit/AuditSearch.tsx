import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { trimmed } from '../formData.ts'
import { TimeFields } from '../TimeFields.tsx'

const names = ['q', 'action', 'from', 'to'] as const

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function AuditSearch({ search, onSearch }: Props) {
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
      <form key={search.toString()} className="search" onSubmit={submitted} aria-label="Search the log">
        <Field
          name="q"
          label="Search"
          type="search"
          maxLength={100}
          defaultValue={given('q')}
          placeholder="Person, key or address"
        />
        <Field
          name="action"
          label="Action"
          maxLength={60}
          defaultValue={given('action')}
          placeholder="key.created"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TimeFields search={search} since={{ name: 'from' }} until={{ name: 'to' }} />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </SearchFold>
  )
}
