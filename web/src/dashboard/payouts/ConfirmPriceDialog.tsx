import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { PayoutInShort } from './PayoutInShort.tsx'
import { type PayoutDialogProps, usePayoutChange } from './usePayoutChange.ts'

export function ConfirmPriceDialog({ payout, ...handlers }: PayoutDialogProps) {
  const api = useApi()
  const { business } = useBusiness()
  const change = usePayoutChange(handlers)
  const confirm = () => {
    const path = { businessId: business.id, id: payout.id }
    return change(
      api.call('confirmPayoutPriceOfBusiness', { path, body: { revision: payout.revision } }),
      'The price is confirmed. The payout is sent now.',
    )
  }
  return (
    <ConfirmDialog
      title="Confirm the new price?"
      confirm="Confirm price"
      danger={false}
      onClose={handlers.onClose}
      act={confirm}
    >
      <PayoutInShort payout={payout} />
      <p>
        The payout has waited, and the rate has fallen since its price was agreed to. To refuse the price,
        cancel the payout.
      </p>
    </ConfirmDialog>
  )
}
