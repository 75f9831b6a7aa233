import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { PayoutInShort } from './PayoutInShort.tsx'
import { type PayoutDialogProps, usePayoutChange } from './usePayoutChange.ts'

export function ApprovePayoutDialog({ payout, ...handlers }: PayoutDialogProps) {
  const api = useApi()
  const { business } = useBusiness()
  const change = usePayoutChange(handlers)
  const approve = () => {
    const path = { businessId: business.id, id: payout.id }
    return change(
      api.call('approvePayoutOfBusiness', { path, body: { revision: payout.revision } }),
      'The payout is approved. It is sent now.',
    )
  }
  return (
    <ConfirmDialog
      title="Approve this payout?"
      confirm="Approve payout"
      danger={false}
      onClose={handlers.onClose}
      act={approve}
    >
      <PayoutInShort payout={payout} />
      <p>This is final.</p>
    </ConfirmDialog>
  )
}
