import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { type PayoutPartner, partnerName } from './partnerLabels.ts'

interface Props {
  partner: PayoutPartner
  onClose: () => void
  onChanged: () => void
}

export function PausePartnerDialog({ partner, onClose, onChanged }: Props) {
  const api = useApi()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    await api.call('pausePayoutPartner', {
      path: { partner: partner.name },
      body: { reason: trimmed(data, 'reason') },
    })
    onChanged()
    onClose()
    notify('The partner is paused.')
  }
  return (
    <Dialog title={`Pause payouts through ${partnerName(partner)}?`} onClose={onClose}>
      <Form submit="Pause partner" danger send={send} onCancel={onClose}>
        <p>Bank payouts that were not submitted yet wait. Those that were are followed to their end.</p>
        <TextArea name="reason" label="Reason" hint="For operators." required maxLength={500} />
      </Form>
    </Dialog>
  )
}
