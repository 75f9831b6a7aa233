import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { verificationStatusLabels } from './verificationLabels.ts'

const names = ['status', 'country', 'requestId'] as const
const statuses = [
  { value: '', label: 'All states' },
  ...Object.entries(verificationStatusLabels).map(([value, { label }]) => ({ value, label })),
]

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function VerificationSearch({ search, onSearch }: Props) {
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
        aria-label="Search the verifications"
      >
        <Select name="status" label="State" defaultValue={given('status')} choices={statuses} />
        <Field
          name="country"
          label="Country"
          defaultValue={given('country')}
          maxLength={2}
          placeholder="NG"
          {...plain}
        />
        <Field
          name="requestId"
          label="Request"
          defaultValue={given('requestId')}
          maxLength={128}
          {...plain}
        />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </SearchFold>
  )
}
