import { useState } from 'react'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { countryName } from '../payouts/payoutLabels.ts'
import { channelsOf, countriesOf, currenciesIn, limitsOf, networksOf } from './channels.ts'
import { accountTypeLabels } from './collectionLabels.ts'
import type { CollectionChannel } from './types.ts'

/** Where money is collected, from which kind of account, and how much. */
export function ChannelFields({ channels }: { channels: CollectionChannel[] }) {
  const countries = countriesOf(channels)
  const [country, setCountry] = useState(countries[0])
  const [wantedCurrency, setCurrency] = useState<string>()
  const [wantedType, setType] = useState<string>()
  const currencies = currenciesIn(channels, country)
  const currency = currencies.find((each) => each === wantedCurrency) ?? currencies[0]
  const offered = channelsOf(channels, country, currency)
  const types = [...new Set(offered.map(({ accountType }) => accountType))]
  const type = types.find((each) => each === wantedType) ?? types[0]
  const chosen = offered.filter(({ accountType }) => accountType === type)
  return (
    <>
      <Select
        name="country"
        label="Country"
        value={country}
        onChange={(event) => setCountry(event.target.value)}
        choices={countries.map((value) => ({ value, label: countryName(value) }))}
      />
      <Select
        name="currency"
        label="Currency"
        value={currency}
        onChange={(event) => setCurrency(event.target.value)}
        choices={currencies.map((value) => ({ value, label: value }))}
      />
      <Select
        name="source.accountType"
        label="Paid from"
        value={type}
        onChange={(event) => setType(event.target.value)}
        choices={types.map((value) => ({ value, label: accountTypeLabels[value] }))}
      />
      {type === 'momo' && (
        <>
          <Select name="source.networkId" label="Mobile network" choices={networksOf(chosen)} />
          <Field
            name="source.accountNumber"
            label="Number of the mobile account"
            hint="With the country’s code."
            required
            minLength={4}
            maxLength={34}
            inputMode="tel"
            autoComplete="off"
          />
        </>
      )}
      <Field
        name="amount"
        label="Amount"
        hint={`What the customer pays, in whole units: ${limitsOf(chosen)}.`}
        required
        maxLength={60}
        inputMode="numeric"
        autoComplete="off"
      />
    </>
  )
}
