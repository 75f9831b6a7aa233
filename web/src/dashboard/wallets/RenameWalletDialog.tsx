import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { Wallet } from './types.ts'

interface Props {
  wallet: Wallet
  onClose: () => void
  onRenamed: () => void
}

export function RenameWalletDialog({ wallet, onClose, onRenamed }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function send(data: FormData): Promise<void> {
    const path = { businessId: business.id, id: wallet.id }
    await api.call('renameWalletOfBusiness', { path, body: { name: trimmed(data, 'name') || null } })
    onRenamed()
    onClose()
    notify('The label is saved.')
  }
  return (
    <Dialog title="Change the label" onClose={onClose}>
      <Form submit="Save label" send={send} onCancel={onClose} focusFirst>
        <Field
          name="name"
          label="Label"
          hint="For you. May stay empty."
          maxLength={200}
          autoComplete="off"
          defaultValue={wallet.name ?? ''}
        />
      </Form>
    </Dialog>
  )
}
