import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useBusiness } from '../business/business.ts'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { PayoutInShort } from './PayoutInShort.tsx'
import { type PayoutDialogProps, usePayoutChange } from './usePayoutChange.ts'

export function MarkPaidDialog({ payout, ...handlers }: PayoutDialogProps) {
  const api = useApi()
  const { business } = useBusiness()
  const change = usePayoutChange(handlers)
  const send = (data: FormData) => {
    const body = { revision: payout.revision, proof: trimmed(data, 'proof') }
    return change(
      api.call('markPayoutPaidOfBusiness', { path: { businessId: business.id, id: payout.id }, body }),
      'The payout is marked as paid.',
    )
  }
  return (
    <Dialog title="Mark this payout as paid?" onClose={handlers.onClose}>
      <Form submit="Mark as paid" danger send={send} onCancel={handlers.onClose}>
        <PayoutInShort payout={payout} />
        <p>
          For a payout that you have paid in another way. Nothing is sent, and the amount is available again.
        </p>
        <TextArea
          name="proof"
          label="Proof"
          hint="What shows it: a bank's reference, the address of a receipt."
          required
          maxLength={1000}
        />
      </Form>
    </Dialog>
  )
}
