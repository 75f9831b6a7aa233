import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'

interface Props {
  linkId: string
  onClose: () => void
  onDone: () => void
}

export function DisableLinkDialog({ linkId, onClose, onDone }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  async function disable(): Promise<void> {
    await api.call('changePaymentLinkOfBusiness', {
      path: { businessId: business.id, id: linkId },
      body: { disabled: true },
    })
    onDone()
    onClose()
    notify('The payment link is switched off.')
  }
  return (
    <ConfirmDialog title="Switch this link off?" confirm="Switch off" onClose={onClose} act={disable}>
      <p>
        Who opens it reads that it is switched off. Payments that wait already can still be paid. You can
        switch it on again.
      </p>
    </ConfirmDialog>
  )
}
