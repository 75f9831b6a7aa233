import { useState } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { textOf } from '../formData.ts'
import { useSession } from '../session/session.ts'
import { CodeField, digitsOf } from './CodeField.tsx'
import { FactorField, withFactor } from './FactorField.tsx'

interface Props {
  onClose: () => void
  onEnabled: (recoveryCodes: string[]) => void
}

export function SetUpTotpDialog({ onClose, onEnabled }: Props) {
  const { api, refresh } = useSession()
  const [begun, setBegun] = useState<{ secret: string; uri: string }>()

  async function begin(data: FormData): Promise<void> {
    setBegun(
      await withFactor(api, data, (given) =>
        api.call('beginTotp', { body: { password: textOf(data, 'password'), ...given } }),
      ),
    )
  }

  async function enable(data: FormData): Promise<void> {
    const { recoveryCodes } = await api.call('enableTotp', { body: { totp: digitsOf(textOf(data, 'totp')) } })
    onEnabled(recoveryCodes)
    await refresh()
  }

  return (
    <Dialog title="Set up two-step sign-in" onClose={onClose}>
      {begun ? (
        <Form key="code" submit="Switch on" send={enable} onCancel={onClose} focusFirst>
          <p>
            Scan this with an authenticator app, or type the secret into it. Then enter the code that it
            shows.
          </p>
          <QrCode text={begun.uri} label="QR code of the secret" />
          <p>
            Secret: <code className="secret-text">{grouped(begun.secret)}</code>
          </p>
          <CopyButton text={begun.secret} label="Copy secret" />
          <CodeField />
        </Form>
      ) : (
        <Form key="password" submit="Continue" send={begin} onCancel={onClose}>
          <p>First, enter your password again.</p>
          <PasswordField name="password" label="Password" />
          <FactorField />
        </Form>
      )}
    </Dialog>
  )
}

/** In groups of four, which are easier to type. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')
