import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { OperatedBusiness } from '../types.ts'

interface Props {
  business: OperatedBusiness
  onClose: () => void
  onSuspended: (business: OperatedBusiness) => void
}

export function SuspendDialog({ business, onClose, onSuspended }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const body = { reason: trimmed(data, 'reason') }
    onSuspended(await api.call('suspendBusiness', { path: { businessId: business.id }, body }))
    onClose()
    notify('The business is suspended.')
  }
  return (
    <Dialog title={`Suspend ${business.name}?`} onClose={onClose}>
      <Form submit="Suspend business" danger send={send} onCancel={onClose}>
        <p>
          Its API keys and access tokens are refused, and its members can change nothing, until it is approved
          again. Transfers that were not sent yet are held.
        </p>
        <TextArea name="reason" label="Reason" hint="Its members see this." required maxLength={500} />
      </Form>
    </Dialog>
  )
}
