import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { PaymentLink } from './types.ts'

interface Props {
  link: PaymentLink
  onClose: () => void
  onDone: () => void
}

export function RenameLinkDialog({ link, onClose, onDone }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function rename(data: FormData): Promise<void> {
    await api.call('changePaymentLinkOfBusiness', {
      path: { businessId: business.id, id: link.id },
      body: { label: trimmed(data, 'label') || null },
    })
    onDone()
    onClose()
    notify('The label is changed.')
  }
  return (
    <Dialog title="Change the label" onClose={onClose}>
      <Form submit="Change label" send={rename} onCancel={onClose}>
        <Field
          name="label"
          label="Label"
          hint="Customers see it from now on. Payments that were made keep theirs. May stay empty."
          defaultValue={link.label ?? ''}
          maxLength={200}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
