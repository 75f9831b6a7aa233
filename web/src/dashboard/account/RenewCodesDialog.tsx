import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { textOf } from '../formData.ts'
import { useSession } from '../session/session.ts'
import { CodeField, digitsOf } from './CodeField.tsx'

interface Props {
  onClose: () => void
  onRenewed: (recoveryCodes: string[]) => void
}

export function RenewCodesDialog({ onClose, onRenewed }: Props) {
  const { api, refresh } = useSession()
  async function send(data: FormData): Promise<void> {
    const { recoveryCodes } = await api.call('renewRecoveryCodes', {
      body: { password: textOf(data, 'password'), totp: digitsOf(textOf(data, 'totp')) },
    })
    onRenewed(recoveryCodes)
    await refresh()
  }
  return (
    <Dialog title="Make new recovery codes" onClose={onClose}>
      <Form submit="Make new codes" send={send} onCancel={onClose}>
        <p>The old codes stop working.</p>
        <PasswordField name="password" label="Password" />
        <CodeField />
      </Form>
    </Dialog>
  )
}
