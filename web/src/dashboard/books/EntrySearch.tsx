import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { TimeFields } from '../TimeFields.tsx'
import { accountLabels, entryKinds, kindLabels } from './bookLabels.ts'

const names = ['account', 'asset', 'kind', 'reference', 'sessionId', 'since', 'until'] as const
const accounts = [
  { value: '', label: 'All accounts' },
  ...Object.entries(accountLabels).map(([value, label]) => ({ value, label })),
]
const kinds = [
  { value: '', label: 'All kinds' },
  ...entryKinds.map((value) => ({ value, label: kindLabels(value) })),
]

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function EntrySearch({ search, onSearch }: Props) {
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
  const plain = { autoCapitalize: 'none', spellCheck: false, autoComplete: 'off' } as const
  return (
    <SearchFold isUsed={search.size > 0}>
      <form
        key={search.toString()}
        className="search one-line"
        onSubmit={submitted}
        aria-label="Search the entries"
      >
        <Select name="account" label="Account" choices={accounts} defaultValue={given('account') ?? ''} />
        <Field
          name="asset"
          label="Asset"
          maxLength={60}
          defaultValue={given('asset')}
          placeholder="polygon:USDC"
          {...plain}
        />
        <Select name="kind" label="Kind" choices={kinds} defaultValue={given('kind') ?? ''} />
        <Field
          name="reference"
          label="Reference"
          maxLength={100}
          defaultValue={given('reference')}
          {...plain}
        />
        <Field
          name="sessionId"
          label="Payment session"
          maxLength={36}
          defaultValue={given('sessionId')}
          {...plain}
        />
        <TimeFields search={search} />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </SearchFold>
  )
}
