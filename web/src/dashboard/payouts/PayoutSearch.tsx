import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { chainChoices, tokenChoices } from '../labels.ts'
import { StateChips } from '../StateChips.tsx'
import { TimeFields } from '../TimeFields.tsx'
import { payoutStatusLabels } from './payoutLabels.ts'

const names = ['chain', 'token', 'reference', 'since', 'until'] as const
const statuses = Object.entries(payoutStatusLabels).map(([value, { label }]) => ({ value, label }))

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function PayoutSearch({ search, onSearch }: Props) {
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const texts = names.map((name) => [name, trimmed(data, name)])
    const all = [...texts, ['status', search.get('status') ?? '']]
    onSearch(Object.fromEntries(all.filter(([, value]) => value !== '')))
  }
  const given = (name: string) => search.get(name) ?? undefined
  return (
    <div className="payment-search">
      <StateChips search={search} onSearch={onSearch} choices={statuses} />
      <SearchFold isUsed={search.size > (search.has('status') ? 1 : 0)}>
        <form
          key={search.toString()}
          className="search one-line"
          onSubmit={submitted}
          aria-label="Search the payouts"
        >
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
          <TimeFields search={search} since={{ label: 'Created from' }} />
          <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
        </form>
      </SearchFold>
    </div>
  )
}
