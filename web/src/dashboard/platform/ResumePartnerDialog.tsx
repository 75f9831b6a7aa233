import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useApi } from '../session/session.ts'
import { type PayoutPartner, partnerName } from './partnerLabels.ts'

interface Props {
  partner: PayoutPartner
  onClose: () => void
  onChanged: () => void
}

export function ResumePartnerDialog({ partner, onClose, onChanged }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function resume(): Promise<void> {
    await api.call('resumePayoutPartner', { path: { partner: partner.name } })
    onChanged()
    onClose()
    notify('The partner is resumed.')
  }
  return (
    <ConfirmDialog
      title={`Resume payouts through ${partnerName(partner)}?`}
      confirm="Resume partner"
      danger={false}
      onClose={onClose}
      act={resume}
    >
      <p>Bank payouts that wait are submitted.</p>
    </ConfirmDialog>
  )
}
