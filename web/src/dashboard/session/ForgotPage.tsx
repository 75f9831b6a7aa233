import { useState } from 'react'
import { Link } from 'wouter'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Page } from '../../ui/Page.tsx'
import { trimmed } from '../formData.ts'
import { AlonePage } from '../shell/AlonePage.tsx'
import { useApi } from './session.ts'

/** Requests a mail that sets a new password. The page shows the same for every address. */
export function ForgotPage() {
  const api = useApi()
  const [email, setEmail] = useState<string>()
  async function send(data: FormData): Promise<void> {
    const given = trimmed(data, 'email')
    await api.call('requestReset', { body: { email: given } })
    setEmail(given)
  }
  return (
    <AlonePage>
      <Page title="Set a new password">
        {email === undefined ? (
          <Form submit="Mail me a link" send={send}>
            <p>You get a mail with a link that works once, for an hour.</p>
            <Field name="email" label="Email" type="email" autoComplete="username" required maxLength={254} />
          </Form>
        ) : (
          <p role="status">If {email} has an account here, a mail is on its way. It can take some minutes.</p>
        )}
        <p className="fine">
          <Link href="/sign-in">Back to signing in</Link>
        </p>
      </Page>
    </AlonePage>
  )
}
