import { useState } from 'react'
import { useLocation } from 'wouter'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Choices } from '../../ui/Choices.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { labelInZone } from '../../ui/zone.ts'
import { useBusiness } from '../business/business.ts'
import { createFormKeys, unansweredText } from '../formKeys.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'
import { choiceValue, linkIn } from './linkForm.ts'
import { paymentLinkPath } from './paths.ts'

/** What a link asks for. Controls have the names of the request's fields, so that its errors find them. */
export function NewLinkForm({ settings }: { settings: PaymentSettings }) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const [keyOf] = useState(() => createFormKeys())
  const { localCurrency } = settings
  const [isOpen, setIsOpen] = useState(false)
  const [isLocal, setIsLocal] = useState(localCurrency !== null)
  const [isSome, setIsSome] = useState(false)

  async function send(data: FormData): Promise<void> {
    const body = linkIn(data, { localCurrency, timeZone: business.timeZone })
    const sending = api.call('createPaymentLinkOfBusiness', {
      path: { businessId: business.id },
      body,
      idempotencyKey: keyOf(body),
    })
    const made = await sending.catch((error: unknown) => {
      throw unansweredText(error, 'payment link')
    })
    navigate(paymentLinkPath(business.id, made.id))
    notify('The payment link is created. Send it, or print its code.')
  }

  const inUnit = localCurrency !== null && (
    <Select
      name="in"
      label="In"
      value={isLocal ? 'local' : 'token'}
      onChange={({ target }) => setIsLocal(target.value === 'local')}
      choices={[
        { value: 'local', label: localCurrency },
        { value: 'token', label: 'the token' },
      ]}
    />
  )
  return (
    <Form submit="Create payment link" send={send}>
      <Choices
        name="kind"
        legend="Amount"
        chosen="fixed"
        onChoose={(value) => setIsOpen(value === 'open')}
        choices={[
          { value: 'fixed', label: 'Fixed' },
          { value: 'open', label: 'Open', hint: 'The customer names it, as for a donation or a tip.' },
        ]}
      />
      <div className="amount-fields">
        {isOpen ? (
          <Field
            name="openAmount.min"
            label="At least"
            hint="May stay empty."
            inputMode="decimal"
            maxLength={60}
            autoComplete="off"
          />
        ) : (
          <Field
            key={isLocal ? 'localAmount' : 'amount'}
            name={isLocal ? 'localAmount' : 'amount'}
            label="Amount"
            hint={isLocal ? 'The amount of the token is fixed when a customer chooses.' : undefined}
            inputMode="decimal"
            required
            maxLength={60}
            autoComplete="off"
          />
        )}
        {inUnit}
      </div>
      {isOpen && (
        <Field
          name="openAmount.max"
          label="At most"
          hint="May stay empty."
          inputMode="decimal"
          maxLength={60}
          autoComplete="off"
        />
      )}
      <Choices
        name="networks"
        legend="Networks"
        chosen="all"
        onChoose={(value) => setIsSome(value === 'some')}
        choices={[
          { value: 'all', label: 'All that the business accepts' },
          { value: 'some', label: 'Only some' },
        ]}
      />
      {isSome && <AcceptedChoices settings={settings} />}
      <Field
        name="label"
        label="Label"
        hint="Your customers see it on the payment page. May stay empty."
        maxLength={200}
        autoComplete="off"
      />
      <Field
        name="reference"
        label="Reference"
        hint="Your own number. The link’s payments have it, too. May stay empty."
        maxLength={200}
        autoComplete="off"
      />
      <Field
        name="maxSessions"
        label="How many payments"
        hint="1 for an invoice that one customer pays. Empty: any number."
        inputMode="numeric"
        maxLength={7}
        autoComplete="off"
      />
      <Field
        name="expiresAt"
        label={labelInZone('Until', business.timeZone)}
        hint="One year at most. Empty: one year."
        type="datetime-local"
        autoComplete="off"
      />
    </Form>
  )
}

function AcceptedChoices({ settings }: { settings: PaymentSettings }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  function set(value: string, isChosen: boolean): void {
    const next = new Set(chosen)
    if (isChosen) next.add(value)
    else next.delete(value)
    setChosen(next)
  }
  return (
    <fieldset className="field choices">
      <legend className="unseen">Networks and tokens</legend>
      {settings.networks.flatMap(({ chain, tokens }) =>
        tokens
          .filter(({ accepted }) => accepted)
          .map(({ token }) => {
            const value = choiceValue(chain, token)
            return (
              <Checkbox
                key={value}
                name="accept"
                value={value}
                label={`${token} on ${chainLabel(chain)}`}
                checked={chosen.has(value)}
                onChange={(isChosen) => set(value, isChosen)}
              />
            )
          }),
      )}
    </fieldset>
  )
}
