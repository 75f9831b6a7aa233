import { useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Select } from '../../ui/Select.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import type { SuspendedPayment } from './adjustmentLabels.ts'

interface Props {
  payment: SuspendedPayment
  onClose: () => void
  onProposed: () => void
}

type Account = NonNullable<SuspendedPayment['account']>
type Owner = Account | 'business'
const owners: { value: Owner; label: string }[] = [
  { value: 'rewards', label: 'The operator, for rewards of stakes' },
  { value: 'capital', label: 'The operator, for fees of stakes' },
  { value: 'business', label: 'A business' },
]

/** Money at a staking address is usually the operator's own. */
export function AssignDialog({ payment, onClose, onProposed }: Props) {
  const api = useApi()
  const notify = useNotify()
  const [owner, setOwner] = useState<Owner>(payment.isOfStaking ? 'rewards' : 'business')
  async function send(data: FormData): Promise<void> {
    const to = owner === 'business' ? { businessId: trimmed(data, 'businessId') } : { account: owner }
    const body = { ...to, reason: trimmed(data, 'reason') }
    await api.call('proposeAssignment', { path: { paymentId: payment.id }, body })
    onProposed()
    onClose()
    notify('It is proposed. Another operator has to approve it under Adjustments.')
  }
  return (
    <Dialog title="Whose is this payment?" onClose={onClose}>
      <Form submit="Propose" send={send} onCancel={onClose}>
        <p>
          {payment.amount} {payment.symbol} from <code>{payment.fromAddress}</code>
        </p>
        {payment.isOfStaking && (
          <Select
            name="account"
            label="Whose it is"
            choices={owners}
            value={owner}
            onChange={({ target }) => setOwner(target.value as Owner)}
          />
        )}
        {owner === 'business' && (
          <>
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
          </>
        )}
        <Field
          name="reason"
          label="Reason"
          hint={
            owner === 'business'
              ? 'The business sees it at its entry.'
              : 'The operator who approves it reads it.'
          }
          required
          maxLength={500}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
