import { useState } from 'react'
import { useLocation } from 'wouter'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useBusiness } from '../business/business.ts'
import { createFormKeys, unansweredText } from '../formKeys.ts'
import { useApi } from '../session/session.ts'
import { ChannelFields } from './ChannelFields.tsx'
import { collectionIn } from './collectionForm.ts'
import { PayerFields } from './PayerFields.tsx'
import { collectionPath } from './paths.ts'
import { SettlementFields } from './SettlementFields.tsx'
import type { Collection, CollectionOptions } from './types.ts'

/**
 * What is collected, where it is settled, and who pays. Controls have the names of the request's fields, so
 * that its errors find them.
 */
export function CollectionForm({ options }: { options: CollectionOptions }) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const [keyOf] = useState(() => createFormKeys())
  async function send(data: FormData): Promise<void> {
    const body = collectionIn(data)
    const sending = api.call('createCollectionOfBusiness', {
      path: { businessId: business.id },
      body,
      idempotencyKey: keyOf(body),
    })
    const made = await sending.catch((error: unknown) => {
      throw unansweredText(error, 'collection')
    })
    navigate(collectionPath(business.id, made.id))
    notify(createdWords(made))
  }
  return (
    <Form submit="Collect" send={send}>
      <ChannelFields channels={options.channels} />
      <SettlementFields networks={options.networks} />
      <PayerFields />
      <Field
        name="reference"
        label="Reference"
        hint="Your own id, to find it again. May stay empty."
        maxLength={200}
        autoComplete="off"
      />
      <Field
        name="redirectUrl"
        label="Page after the payment"
        hint="Some channels send the customer there, and refuse a collection without it. May stay empty."
        type="url"
        pattern="https://.+"
        title="Enter a URL that starts with https://."
        maxLength={2000}
        placeholder="https://"
        autoComplete="off"
        spellCheck={false}
      />
      <TextArea
        name="metadata"
        label="Metadata"
        hint='Any JSON object, such as {"order": "1234"}. It is sent along with every event. May stay empty.'
        autoComplete="off"
        spellCheck={false}
      />
    </Form>
  )
}

function createdWords({ status, bankAccountNumber }: Collection): string {
  if (status === 'failed') return 'The collection is stored, and the partner does not take it.'
  if (bankAccountNumber !== null)
    return 'The collection is created. Give your customer the account to pay into.'
  return 'The collection is stored. The partner has not named an account yet.'
}
