import { CowryError } from '../../../../client/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { Form } from '../../ui/Form.tsx'
import { useTell } from '../../ui/Notices.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf } from '../formData.ts'
import { readCode } from '../session/code.ts'
import { useSession } from '../session/session.ts'

export function DisableTotpDialog({ onClose }: { onClose: () => void }) {
  const { api, signedIn } = useSession()
  const tell = useTell()
  async function send(data: FormData): Promise<void> {
    try {
      signedIn(await api.call('disableTotp', { body: { password: textOf(data, 'password'), ...readCode(textOf(data, 'code')) } }))
    } catch (error) {
      throw asCodeProblem(error)
    }
    onClose()
    tell('Two-step sign-in is off.')
  }
  return (
    <Dialog title="Switch two-step sign-in off?" onClose={onClose}>
      <Form submit="Switch off" danger send={send} onCancel={onClose}>
        <p>Your password alone will be enough to sign in. Your recovery codes are deleted.</p>
        <PasswordField name="password" label="Password" />
        <Field name="code" label="Code" hint="Of your authenticator, or a recovery code." autoComplete="one-time-code" required maxLength={40} />
      </Form>
    </Dialog>
  )
}

/** The form has one field for what the API takes as two. */
function asCodeProblem(error: unknown): unknown {
  const wrong = error instanceof CowryError && error.fields?.some(({ field }) => field === 'totp' || field === 'recoveryCode')
  return wrong ? new FieldProblem({ code: 'The code is wrong, or it was used before.' }) : error
}
