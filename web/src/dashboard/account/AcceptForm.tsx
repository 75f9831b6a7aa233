import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf, trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { InvitationSeen, Me } from '../types.ts'

interface Props {
  token: string
  invitation: InvitationSeen
  onAccepted: (me: Me) => void
  /** The password is set, but signing in needs the second factor. */
  onSet: () => void
}

/** Opens an account by an invitation, or sets a new password. */
export function AcceptForm({ token, invitation, onAccepted, onSet }: Props) {
  const api = useApi()
  const isReset = invitation.purpose === 'reset'
  async function send(data: FormData): Promise<void> {
    const name = isReset ? {} : { name: trimmed(data, 'name') }
    const answer = await api.call('acceptInvitation', {
      body: { token, password: textOf(data, 'password'), ...name },
    })
    if ('account' in answer) onAccepted(answer)
    else onSet()
  }
  return (
    <Form submit={isReset ? 'Set password' : 'Open account'} send={send}>
      <Field
        name="email"
        label="Email"
        type="email"
        readOnly
        value={invitation.email}
        autoComplete="username"
      />
      {!isReset && <Field name="name" label="Your name" required maxLength={100} autoComplete="name" />}
      <PasswordField name="password" label={isReset ? 'New password' : 'Password'} isNew />
    </Form>
  )
}
