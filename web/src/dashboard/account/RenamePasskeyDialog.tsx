import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { Passkey } from '../types.ts'

interface Props {
  passkey: Passkey
  onClose: () => void
  onRenamed: () => void
}

export function RenamePasskeyDialog({ passkey, onClose, onRenamed }: Props) {
  const api = useApi()
  async function send(data: FormData): Promise<void> {
    await api.call('renamePasskey', {
      path: { passkeyId: passkey.id },
      body: { name: trimmed(data, 'name') },
    })
    onRenamed()
  }
  return (
    <Dialog title="Rename this passkey" onClose={onClose}>
      <Form submit="Save name" send={send} onCancel={onClose}>
        <Field name="name" label="Name" required maxLength={100} defaultValue={passkey.name} />
      </Form>
    </Dialog>
  )
}
