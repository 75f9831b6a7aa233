import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { PayoutInShort } from './PayoutInShort.tsx'
import { type PayoutDialogProps, usePayoutChange } from './usePayoutChange.ts'

export function CancelPayoutDialog({ payout, ...handlers }: PayoutDialogProps) {
  const api = useApi()
  const { business } = useBusiness()
  const change = usePayoutChange(handlers)
  const cancel = () =>
    change(
      api.call('cancelPayoutOfBusiness', { path: { businessId: business.id, id: payout.id } }),
      'The payout is cancelled. Its money is available again.',
    )
  return (
    <ConfirmDialog
      title="Cancel this payout?"
      confirm="Cancel payout"
      onClose={handlers.onClose}
      act={cancel}
    >
      <PayoutInShort payout={payout} />
      <p>Nothing is sent, and the amount is available again.</p>
    </ConfirmDialog>
  )
}
