import { useState } from 'react'
import { AuthenticationError, type DashboardAnswerOf } from '../../../../client/index.ts'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { PlainProblem } from '../../ui/plainError.ts'
import { textOf, trimmed } from '../formData.ts'
import type { Me } from '../types.ts'
import { CodeForm } from './CodeForm.tsx'
import { hasPasskeys, requestPasskey } from './passkey.ts'
import { useApi } from './session.ts'

interface Props {
  /** Set if only this account may sign in. */
  email?: string
  onSignedIn: (me: Me) => Promise<void> | void
}

type PasskeyRequest = DashboardAnswerOf<'beginPasskeyConfirmation'>

/** Refusals that request a second step. */
const secondSteps = new Set(['totp_required', 'passkey_required'])

interface SecondStep {
  credentials: { email: string; password: string }
  hasCodes: boolean
  /** The request for a passkey; null: no passkey can be used here. */
  passkey: PasskeyRequest | null
}

/** Email and password; then a code or a passkey, if the account needs one. */
export function SignInForm({ email, onSignedIn }: Props) {
  const api = useApi()
  const [second, setSecond] = useState<SecondStep>()
  const [isAsked, setIsAsked] = useState(false)

  async function send(data: FormData): Promise<void> {
    const credentials = { email: email ?? trimmed(data, 'email'), password: textOf(data, 'password') }
    try {
      await onSignedIn(await api.call('signIn', { body: credentials }))
    } catch (error) {
      if (!(error instanceof AuthenticationError) || !secondSteps.has(error.code)) throw error
      setSecond({
        credentials,
        hasCodes: error.code === 'totp_required',
        passkey: hasPasskeys() ? await requestOf(credentials) : null,
      })
    }
  }

  const requestOf = async (credentials: SecondStep['credentials']) =>
    (await api.call('beginPasskeySignIn', { body: credentials })).options

  async function signInByPasskey({ credentials, passkey }: SecondStep): Promise<void> {
    // A passkey request works once.
    const request = isAsked ? await requestOf(credentials) : passkey
    if (!request) throw new PlainProblem('This account no longer has a passkey. Use a code.')
    setIsAsked(true)
    await onSignedIn(
      await api.call('signIn', { body: { ...credentials, passkey: await requestPasskey(request) } }),
    )
  }

  if (second) {
    return (
      <CodeForm
        hasCodes={second.hasCodes}
        send={async (code) =>
          onSignedIn(await api.call('signIn', { body: { ...second.credentials, ...code } }))
        }
        onPasskey={second.passkey ? () => signInByPasskey(second) : undefined}
        onBack={() => {
          setSecond(undefined)
          setIsAsked(false)
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
