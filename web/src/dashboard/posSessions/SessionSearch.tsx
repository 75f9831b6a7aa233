import { ListSearch } from '../ListSearch.tsx'
import { chainChoices, tokenChoices } from '../labels.ts'
import { exceptionLabels, statusLabels } from './sessionLabels.ts'

const states = Object.entries(statusLabels).map(([value, { label }]) => ({ value, label }))
const filters = [
  {
    name: 'exception',
    label: 'What came',
    choices: Object.entries(exceptionLabels).map(([value, label]) => ({ value, label })),
  },
  { name: 'chain', label: 'Network', choices: chainChoices },
  { name: 'token', label: 'Token', choices: tokenChoices },
]

interface Props {
  search: URLSearchParams
  onSearch: (search: Record<string, string>) => void
}

/** One field for all texts and amounts, and filters. */
export const SessionSearch = ({ search, onSearch }: Props) => (
  <ListSearch
    search={search}
    onSearch={onSearch}
    placeholder="Reference, label, address, memo, transaction or amount"
    filters={filters}
    states={states}
    byTime
  />
)
