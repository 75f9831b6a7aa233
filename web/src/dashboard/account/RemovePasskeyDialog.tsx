import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf } from '../formData.ts'
import { useMe, useSession } from '../session/session.ts'
import type { Passkey } from '../types.ts'
import { FactorField, withFactor } from './FactorField.tsx'

interface Props {
  passkey: Passkey
  onClose: () => void
  onRemoved: () => void
}

export function RemovePasskeyDialog({ passkey, onClose, onRemoved }: Props) {
  const { api, signedIn } = useSession()
  const { account } = useMe()
  const isLast = !account.totp && account.passkeys === 1
  async function send(data: FormData): Promise<void> {
    const path = { passkeyId: passkey.id }
    signedIn(
      await withFactor(api, data, (given) =>
        api.call('removePasskey', { path, body: { password: textOf(data, 'password'), ...given } }),
      ),
    )
    onRemoved()
  }
  return (
    <Dialog title="Remove this passkey?" onClose={onClose}>
      <Form submit="Remove passkey" danger send={send} onCancel={onClose}>
        <p>
          {passkey.name} no longer signs you in.
          {isLast && ' Your password alone will be enough, and your recovery codes are deleted.'}
        </p>
        <PasswordField name="password" label="Password" />
        <FactorField />
      </Form>
    </Dialog>
  )
}
