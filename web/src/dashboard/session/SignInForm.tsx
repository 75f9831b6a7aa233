import { useState } from 'react'
import { AuthenticationError } from '../../../../client/index.ts'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf, trimmed } from '../formData.ts'
import type { Me } from '../types.ts'
import { CodeForm } from './CodeForm.tsx'
import { useApi } from './session.ts'

interface Props {
  /** Given where only one account will do. */
  email?: string
  onSignedIn: (me: Me) => Promise<void> | void
}

/** Email and password; then a code, where the account asks for one. */
export function SignInForm({ email, onSignedIn }: Props) {
  const api = useApi()
  const [given, setGiven] = useState<{ email: string; password: string }>()

  async function send(data: FormData): Promise<void> {
    const credentials = { email: email ?? trimmed(data, 'email'), password: textOf(data, 'password') }
    try {
      await onSignedIn(await api.call('signIn', { body: credentials }))
    } catch (error) {
      if (!(error instanceof AuthenticationError) || error.code !== 'totp_required') throw error
      setGiven(credentials)
    }
  }

  if (given) {
    return (
      <CodeForm
        send={async (code) => onSignedIn(await api.call('signIn', { body: { ...given, ...code } }))}
        onBack={() => {
          setGiven(undefined)
        }}
      />
    )
  }
  return (
    <Form submit="Sign in" send={send}>
      <Field
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={email}
        readOnly={email !== undefined}
      />
      <PasswordField name="password" label="Password" />
    </Form>
  )
}
