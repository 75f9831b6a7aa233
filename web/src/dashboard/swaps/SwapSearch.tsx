import type { FormEvent } from 'react'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { chainChoices } from '../labels.ts'
import { swapStatusLabels } from './swapLabels.ts'

const names = ['status', 'chain'] as const
const statuses = [
  { value: '', label: 'All states' },
  ...Object.entries(swapStatusLabels).map(([value, { label }]) => ({ value, label })),
]
/** Chains without a provider have no swaps. */
const chains = chainChoices.filter(({ value }) => value !== 'tron' && value !== 'stellar')

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function SwapSearch({ search, onSearch }: Props) {
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
        aria-label="Search the swaps"
      >
        <Select name="status" label="State" defaultValue={given('status')} choices={statuses} />
        <Select
          name="chain"
          label="Network"
          defaultValue={given('chain')}
          choices={[{ value: '', label: 'All networks' }, ...chains]}
        />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </SearchFold>
  )
}
