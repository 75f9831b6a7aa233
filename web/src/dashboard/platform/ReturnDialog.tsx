import type { DashboardBodyOf } from '../../../../client/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { textOf, trimmed } from '../formData.ts'
import { chainLabel } from '../labels.ts'
import { MemoFields } from '../MemoFields.tsx'
import { useApi } from '../session/session.ts'
import type { SuspendedPayment } from './adjustmentLabels.ts'

type MemoType = NonNullable<DashboardBodyOf<'proposeReturn'>['memoType']>

interface Props {
  payment: SuspendedPayment
  onClose: () => void
  onProposed: () => void
}

/** Proposes to send a payment back. The sender's address is not filled in: it may be that of an exchange. */
export function ReturnDialog({ payment, onClose, onProposed }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const memo = trimmed(data, 'memo')
    const body = {
      toAddress: trimmed(data, 'toAddress'),
      ...(memo && { memo, memoType: textOf(data, 'memoType') as MemoType }),
      reason: trimmed(data, 'reason'),
    }
    await api.call('proposeReturn', { path: { paymentId: payment.id }, body })
    onProposed()
    onClose()
    notify('It is proposed. Another operator has to approve it under Adjustments.')
  }
  return (
    <Dialog title="Send this payment back" onClose={onClose}>
      <Form submit="Propose" send={send} onCancel={onClose}>
        <p>
          {payment.amount} {payment.symbol} from <code>{payment.fromAddress}</code>
        </p>
        <p>It is sent when another operator has approved it. What was sent does not come back.</p>
        <Field
          name="toAddress"
          label={`Address on ${chainLabel(payment.chain)}`}
          hint="The one that its owner has named: the sender may be an exchange, where the money would be lost."
          required
          maxLength={120}
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="off"
        />
        <MemoFields chain={payment.chain} hint="Exchanges need one. May stay empty." />
        <Field
          name="reason"
          label="Reason"
          hint="The operator who approves it reads it."
          required
          maxLength={500}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
