import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useBusiness } from '../business/business.ts'
import { textOf } from '../formData.ts'
import { useApi } from '../session/session.ts'
import { readLimits, writeLimits } from './limitsForm.ts'
import type { Sender } from './types.ts'

interface Props {
  sender: Sender
  onClose: () => void
  onSaved: () => Promise<void>
}

function outcomeOf(answer: { approval?: object; next: object | null }, name: string): string {
  if (answer.approval) return 'They allow more than before: a second owner has to approve them.'
  return answer.next
    ? 'They allow more than before, and apply when the cooling-off time has passed.'
    : `The limits of ${name} are saved.`
}

export function LimitsDialog({ sender, onClose, onSaved }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const written = writeLimits(sender)
  async function send(data: FormData): Promise<void> {
    const body = readLimits(textOf(data, 'amounts'), textOf(data, 'destinations'))
    const path = { businessId: business.id }
    const answer =
      sender.kind === 'wallet'
        ? await api.call('setWalletLimits', { path: { ...path, walletId: sender.id }, body })
        : await api.call('setKeyLimits', { path: { ...path, keyId: sender.id }, body })
    // All limits are sent: who opens this again at once must find those of now.
    await onSaved()
    onClose()
    notify(outcomeOf(answer, sender.name))
  }
  return (
    <Dialog title={`Limits of ${sender.name}`} onClose={onClose}>
      <Form submit="Save limits" send={send} onCancel={onClose}>
        <TextArea
          name="amounts"
          label="Amounts"
          hint="One line per token: chain, token (native, usdc, usdt), the limit of one transfer, the limit of 24 hours, and the amount above which a second owner approves; - for no limit. A token without a line is not sent. Empty: no limits."
          defaultValue={written.amounts}
          spellCheck={false}
          autoComplete="off"
        />
        <TextArea
          name="destinations"
          label="Destinations"
          hint="One chain and address per line; on stellar with a memo, such as id 42, if the receiver requires one. Nothing is sent to other addresses. Empty: to anywhere."
          defaultValue={written.destinations}
          spellCheck={false}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
