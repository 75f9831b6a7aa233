import { useState } from 'react'
import { Choices } from '../../ui/Choices.tsx'
import { Field } from '../../ui/Field.tsx'

const payers = [
  {
    value: 'customer',
    label: 'A customer',
    hint: 'The partner checks who they are. Their data is stored sealed, and is not shown again.',
  },
  {
    value: 'business',
    label: 'This business',
    hint: 'With its legal profile, which an owner writes under Settings, Payouts.',
  },
]

/** Who pays. */
export function PayerFields() {
  const [payer, setPayer] = useState('customer')
  return (
    <>
      <Choices name="payer" legend="Who pays" chosen={payer} onChoose={setPayer} choices={payers} />
      {payer === 'customer' && <CustomerFields />}
    </>
  )
}

function CustomerFields() {
  const [country, setCountry] = useState('')
  const needsSecond = country.trim().toUpperCase() === 'NG'
  return (
    <>
      <Field name="recipient.name" label="Name of the customer" required maxLength={200} autoComplete="off" />
      <Field
        name="recipient.country"
        label="Their country"
        hint="Two letters, such as NG."
        required
        minLength={2}
        maxLength={2}
        value={country}
        onChange={(event) => setCountry(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="recipient.phone"
        label="Their phone"
        hint="With the country’s code, such as +2348012345678."
        type="tel"
        pattern="\+[1-9][0-9]{6,14}"
        title="Enter the number with the country’s code, such as +2348012345678."
        required
        maxLength={16}
        autoComplete="off"
      />
      <Field name="recipient.address" label="Their address" required maxLength={200} autoComplete="off" />
      <Field name="recipient.dob" label="Their date of birth" type="date" required autoComplete="off" />
      <Field
        name="recipient.email"
        label="Their email"
        type="email"
        required
        maxLength={200}
        autoComplete="off"
      />
      <Field
        name="recipient.idType"
        label="Kind of document"
        hint="As the partner names it, such as NIN."
        required
        maxLength={60}
        autoComplete="off"
      />
      <Field
        name="recipient.idNumber"
        label="Number of the document"
        required
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="recipient.additionalIdType"
        label="Kind of a second document"
        hint="Needed of people in Nigeria, such as BVN."
        required={needsSecond}
        maxLength={60}
        autoComplete="off"
      />
      <Field
        name="recipient.additionalIdNumber"
        label="Number of the second document"
        required={needsSecond}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  )
}
