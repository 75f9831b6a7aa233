import type { FormEvent } from 'react'
import { Field } from '../../ui/Field.tsx'
import { SearchActions } from '../../ui/SearchActions.tsx'
import { SearchFold } from '../../ui/SearchFold.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { chainChoices, deliveryLabels } from '../labels.ts'
import { StateChips } from '../StateChips.tsx'
import { TimeFields } from '../TimeFields.tsx'
import { endpointChoices } from './endpointChoices.ts'
import { typeChoices } from './eventTypes.ts'
import type { CallbackHost, Endpoint } from './types.ts'

const names = ['address', 'type', 'chain', 'endpointId', 'since', 'until'] as const
const statuses = Object.entries(deliveryLabels).map(([value, { label }]) => ({ value, label }))

interface Props {
  search: URLSearchParams
  endpoints: Endpoint[]
  hosts: CallbackHost[]
  onSearch: (search: Record<string, string>) => void
}

export function DeliverySearch({ search, endpoints, hosts, onSearch }: Props) {
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
          className="search"
          onSubmit={submitted}
          aria-label="Search the deliveries"
        >
          <Field
            name="address"
            label="Address"
            type="search"
            maxLength={120}
            defaultValue={given('address')}
            placeholder="The whole address"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Select
            name="type"
            label="Event"
            defaultValue={given('type')}
            choices={withGiven(typeChoices, given('type'))}
          />
          <Select
            name="chain"
            label="Network"
            defaultValue={given('chain')}
            choices={withGiven([{ value: '', label: 'All networks' }, ...chainChoices], given('chain'))}
          />
          <Select
            name="endpointId"
            label="Endpoint"
            defaultValue={given('endpointId')}
            choices={withGiven(endpointChoices(endpoints, hosts), given('endpointId'))}
          />
          <TimeFields search={search} />
          <SearchActions clear={search.size > 0 ? () => onSearch({}) : undefined} />
        </form>
      </SearchFold>
    </div>
  )
}

/** Adds the URL's value to the choices even if it no longer exists, such as a removed endpoint. */
function withGiven(
  choices: { value: string; label: string }[],
  given: string | undefined,
): { value: string; label: string }[] {
  return !given || choices.some(({ value }) => value === given)
    ? choices
    : [...choices, { value: given, label: given }]
}
