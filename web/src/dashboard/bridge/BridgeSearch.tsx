import type { FormEvent } from 'react'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { bridgeChains, bridgeStatusLabels } from './bridgeLabels.ts'

const names = ['status', 'sourceChain', 'destinationChain'] as const
const statuses = [
  { value: '', label: 'All states' },
  ...Object.entries(bridgeStatusLabels).map(([value, { label }]) => ({ value, label })),
]
const chains = [{ value: '', label: 'All networks' }, ...bridgeChains]

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

export function BridgeSearch({ search, onSearch }: Props) {
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
        aria-label="Search the bridge transfers"
      >
        <Select name="status" label="State" defaultValue={given('status')} choices={statuses} />
        <Select name="sourceChain" label="From" defaultValue={given('sourceChain')} choices={chains} />
        <Select
          name="destinationChain"
          label="To"
          defaultValue={given('destinationChain')}
          choices={chains}
        />
        <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
      </form>
    </SearchFold>
  )
}
