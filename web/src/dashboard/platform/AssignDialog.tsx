import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { SuspendedPayment } from './adjustmentWords.ts'

interface Props {
  payment: SuspendedPayment
  onClose: () => void
  onProposed: () => void
}

export function AssignDialog({ payment, onClose, onProposed }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const body = { businessId: trimmed(data, 'businessId'), reason: trimmed(data, 'reason') }
    await api.call('proposeAssignment', { path: { paymentId: payment.id }, body })
    onProposed()
    onClose()
    notify('It is proposed. Another operator has to approve it under Adjustments.')
  }
  return (
    <Dialog title="Give this payment to a business" onClose={onClose}>
      <Form submit="Propose" send={send} onCancel={onClose}>
        <p>
          {payment.amount} {payment.symbol} from <code>{payment.fromAddress}</code>
        </p>
        <p>If a fork takes it back later, the business owes it.</p>
        <Field
          name="businessId"
          label="Business"
          hint="Its id."
          required
          maxLength={100}
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="off"
        />
        <Field name="reason" label="Reason" hint="The business sees it at its entry." required maxLength={500} autoComplete="off" />
      </Form>
    </Dialog>
  )
}
