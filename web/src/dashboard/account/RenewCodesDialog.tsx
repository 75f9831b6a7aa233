import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf } from '../formData.ts'
import { requestPasskey } from '../session/passkey.ts'
import { useMe, useSession } from '../session/session.ts'
import { CodeField, digitsOf } from './CodeField.tsx'

interface Props {
  onClose: () => void
  onRenewed: (recoveryCodes: string[]) => void
}

export function RenewCodesDialog({ onClose, onRenewed }: Props) {
  const { api, refresh } = useSession()
  const { account } = useMe()
  async function send(data: FormData): Promise<void> {
    const given = account.totp
      ? { totp: digitsOf(textOf(data, 'totp')) }
      : { passkey: await requestPasskey(await api.call('beginPasskeyConfirmation')) }
    const { recoveryCodes } = await api.call('renewRecoveryCodes', {
      body: { password: textOf(data, 'password'), ...given },
    })
    onRenewed(recoveryCodes)
    await refresh()
  }
  return (
    <Dialog title="Make new recovery codes" onClose={onClose}>
      <Form submit="Make new codes" send={send} onCancel={onClose}>
        <p>The old codes stop working.{!account.totp && ' Your browser then asks for a passkey.'}</p>
        <PasswordField name="password" label="Password" />
        {account.totp && <CodeField />}
      </Form>
    </Dialog>
  )
}
