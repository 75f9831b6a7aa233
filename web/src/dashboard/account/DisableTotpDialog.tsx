import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf } from '../formData.ts'
import { useMe, useSession } from '../session/session.ts'
import { FactorField, withFactor } from './FactorField.tsx'

export function DisableTotpDialog({ onClose }: { onClose: () => void }) {
  const { api, signedIn } = useSession()
  const { account } = useMe()
  const notify = useNotify()
  const isLast = account.passkeys === 0
  async function send(data: FormData): Promise<void> {
    signedIn(
      await withFactor(api, data, (given) =>
        api.call('disableTotp', { body: { password: textOf(data, 'password'), ...given } }),
      ),
    )
    onClose()
    notify(isLast ? 'Two-step sign-in is off.' : 'The authenticator is off. Your passkeys stay.')
  }
  return (
    <Dialog title="Switch the authenticator off?" onClose={onClose}>
      <Form submit="Switch off" danger send={send} onCancel={onClose}>
        <p>
          {isLast
            ? 'Your password alone will be enough to sign in. Your recovery codes are deleted.'
            : 'You sign in with a passkey from then on. Your recovery codes stay.'}
        </p>
        <PasswordField name="password" label="Password" />
        <FactorField />
      </Form>
    </Dialog>
  )
}
