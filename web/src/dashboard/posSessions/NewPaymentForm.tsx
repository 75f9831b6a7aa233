import { useState } from 'react'
import { useLocation } from 'wouter'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { useBusiness } from '../business/business.ts'
import { createFormKeys, unansweredText } from '../formKeys.ts'
import { chainLabel } from '../labels.ts'
import { linkForOneIn } from '../paymentLinks/linkForm.ts'
import { paymentLinkPath } from '../paymentLinks/paths.ts'
import { useApi } from '../session/session.ts'
import type { PaymentSettings } from '../types.ts'
import { sessionPath } from './paths.ts'
import { expiryChoices, networksOf, paymentIn, tokensOf } from './paymentForm.ts'

/** The network's value where the customer chooses it. */
const customerChooses = 'customer'

/**
 * What a customer shall pay, and how. Controls have the names of the request's fields, so that its errors
 * find them.
 */
export function NewPaymentForm({ settings }: { settings: PaymentSettings }) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const [keyOf] = useState(() => createFormKeys())
  const { localCurrency } = settings
  const tokens = tokensOf(settings)
  const [token, setToken] = useState(tokens[0] ?? '')
  const [isLocal, setIsLocal] = useState(localCurrency !== null)

  const networks = networksOf(settings, token).map((chain) => ({ value: chain, label: chainLabel(chain) }))
  const [chain, setChain] = useState<string>(networks[0]?.value ?? customerChooses)
  const isChosen = chain !== customerChooses

  function chooseToken(next: typeof token): void {
    const offered = networksOf(settings, next)
    setToken(next)
    // A network without the token is not offered any more.
    if (!offered.some((each) => each === chain)) setChain(offered[0] ?? customerChooses)
  }

  async function send(data: FormData): Promise<void> {
    if (!isChosen) {
      await makeLink(data)
      return
    }
    const body = paymentIn(data)
    const sending = api.call('createSessionOfBusiness', {
      path: { businessId: business.id },
      body,
      idempotencyKey: keyOf(body),
    })
    const made = await sending.catch((error: unknown) => {
      throw unansweredText(error, 'payment')
    })
    navigate(sessionPath(business.id, made.id))
    notify('The payment is created. Show your customer the code, or send the link.')
  }

  /** Network and token are chosen by the customer, on the page of a link for this one payment. */
  async function makeLink(data: FormData): Promise<void> {
    const body = linkForOneIn(data)
    const sending = api.call('createPaymentLinkOfBusiness', {
      path: { businessId: business.id },
      body,
      idempotencyKey: keyOf({ link: body }),
    })
    const made = await sending.catch((error: unknown) => {
      throw unansweredText(error, 'payment')
    })
    navigate(paymentLinkPath(business.id, made.id))
    notify('The link is created. Your customer chooses network and token, and pays once.')
  }

  return (
    <Form submit="Create payment" send={send}>
      <div className="amount-fields">
        <Field
          key={isLocal ? 'localAmount' : 'amount'}
          name={isLocal ? 'localAmount' : 'amount'}
          label="Amount"
          inputMode="decimal"
          required
          maxLength={60}
          autoComplete="off"
        />
        {localCurrency !== null && (
          <Select
            name="in"
            label="In"
            value={isLocal ? 'local' : 'token'}
            onChange={({ target }) => setIsLocal(target.value === 'local')}
            choices={[
              { value: 'local', label: localCurrency },
              { value: 'token', label: isChosen ? token : 'the token' },
            ]}
          />
        )}
      </div>
      <div className="amount-fields">
        <Select
          name="chain"
          label="Network"
          value={chain}
          onChange={({ target }) => setChain(target.value)}
          choices={[...networks, { value: customerChooses, label: 'Customer chooses' }]}
        />
        {isChosen && (
          <Select
            name="token"
            label="Token"
            value={token}
            onChange={({ target }) => chooseToken(target.value as typeof token)}
            choices={tokens.map((value) => ({ value, label: value }))}
          />
        )}
      </div>
      <Field
        name="reference"
        label="Reference"
        hint="Your own number, such as an invoice’s, to find it again. May stay empty."
        maxLength={200}
        autoComplete="off"
      />
      <Field
        name="label"
        label="Label"
        hint="Your customer sees it on the payment page. May stay empty."
        maxLength={200}
        autoComplete="off"
      />
      <Select
        name="expirySeconds"
        label="Waits for"
        hint="What comes later is late: it is credited, and you decide about it."
        defaultValue="3600"
        choices={expiryChoices}
      />
    </Form>
  )
}
