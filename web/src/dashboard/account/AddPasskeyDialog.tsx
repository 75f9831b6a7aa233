import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf, trimmed } from '../formData.ts'
import { makePasskey } from '../session/passkey.ts'
import { useSession } from '../session/session.ts'
import { FactorField, withFactor } from './FactorField.tsx'

interface Props {
  onClose: () => void
  /** Gets the recovery codes if this is the account's first second factor. */
  onAdded: (recoveryCodes: string[] | null) => void
}

export function AddPasskeyDialog({ onClose, onAdded }: Props) {
  const { api, refresh } = useSession()
  async function send(data: FormData): Promise<void> {
    const options = await withFactor(api, data, (given) =>
      api.call('beginPasskey', { body: { password: textOf(data, 'password'), ...given } }),
    )
    const { recoveryCodes } = await api.call('addPasskey', {
      body: { name: trimmed(data, 'name'), passkey: await makePasskey(options) },
    })
    onAdded(recoveryCodes)
    await refresh()
  }
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form submit="Add passkey" send={send} onCancel={onClose}>
        <p>Your browser then asks for your fingerprint, face, PIN or security key.</p>
        <Field
          name="name"
          label="Name"
          hint="To recognize it later, such as Laptop."
          required
          maxLength={100}
        />
        <PasswordField name="password" label="Password" />
        <FactorField />
      </Form>
    </Dialog>
  )
}
