import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { Resolution } from './DecisionNotice.tsx'

interface Props {
  sessionId: string
  resolution: Resolution
  onClose: () => void
  onDone: () => void
}

const words: Record<Resolution, { verb: string; effect: string; done: string }> = {
  accept: {
    verb: 'Accept',
    effect:
      'The payment counts as paid with what is confirmed now, and your server is notified. A unit of USDC and one of USDT count the same.',
    done: 'What came is accepted. The payment is paid.',
  },
  leave: {
    verb: 'Leave',
    effect:
      'It is recorded that you have decided. The money stays in your balance, and can still be refunded.',
    done: 'It is left as it is.',
  },
}

export function ResolveDialog({ sessionId, resolution, onClose, onDone }: Props) {
  const api = useApi()
  const notify = useNotify()
  const { business } = useBusiness()
  const { verb, effect, done } = words[resolution]
  async function resolve(): Promise<void> {
    await api.call('resolveSessionOfBusiness', {
      path: { businessId: business.id, id: sessionId },
      body: { resolution },
    })
    onDone()
    onClose()
    notify(done)
  }
  return (
    <ConfirmDialog
      title={`${verb} what came?`}
      confirm={`${verb} it`}
      danger={false}
      onClose={onClose}
      act={resolve}
    >
      <p>{effect}</p>
    </ConfirmDialog>
  )
}
