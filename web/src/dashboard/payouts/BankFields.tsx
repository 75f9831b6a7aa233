import { useState } from 'react'
import { Field } from '../../ui/Field.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Select } from '../../ui/Select.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { countriesOf } from './destinationForm.ts'
import { countryName } from './payoutLabels.ts'
import type { PayoutBank } from './types.ts'

/** A country, one of its banks, and an account of it. */
export function BankFields() {
  const api = useApi()
  const { business } = useBusiness()
  const banks = useLoaded(business.id, (signal) =>
    api.call('listPayoutBanks', { path: { businessId: business.id }, signal }),
  )
  return (
    <Loaded of={banks}>
      {(value) =>
        value.banks.length === 0 ? (
          <p className="fine">This platform has no partner for bank accounts: payouts go to wallets.</p>
        ) : (
          <Account banks={value.banks} />
        )
      }
    </Loaded>
  )
}

function Account({ banks }: { banks: PayoutBank[] }) {
  const countries = countriesOf(banks)
  const [country, setCountry] = useState(countries[0])
  const offered = banks.filter(({ countryCode }) => countryCode === country)
  const [chosen, setChosen] = useState<string>()
  const bank = offered.find(({ id }) => id === chosen) ?? offered[0]
  const currencies = bank?.currencies ?? []
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
        name="networkId"
        label="Bank"
        value={bank?.id}
        onChange={(event) => setChosen(event.target.value)}
        choices={offered.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {currencies.length > 1 && (
        <Select
          name="currency"
          label="Currency"
          choices={currencies.map((value) => ({ value, label: value }))}
        />
      )}
      <Field
        name="accountNumber"
        label="Account number"
        hint="Only its last digits are shown again."
        required
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="accountName"
        label="Account holder"
        hint="As the bank has it."
        required
        maxLength={140}
        autoComplete="off"
      />
    </>
  )
}
