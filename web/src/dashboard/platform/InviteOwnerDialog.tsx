import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { DeliveryChoice, readDelivery } from '../DeliveryChoice.tsx'
import { trimmed } from '../formData.ts'
import { useApi } from '../session/session.ts'

interface Props {
  businessId: string
  onClose: () => void
  onInvited: (ownerEmail: string, token: string | null) => void
}

/** Makes another link for the owner of a business without members. */
export function InviteOwnerDialog({ businessId, onClose, onInvited }: Props) {
  const api = useApi()
  async function send(data: FormData): Promise<void> {
    const ownerEmail = trimmed(data, 'ownerEmail')
    const { token } = await api.call('inviteOwner', {
      path: { businessId },
      body: { ownerEmail, ...readDelivery(data) },
    })
    onInvited(ownerEmail, token)
  }
  return (
    <Dialog title="Invite the owner again" onClose={onClose}>
      <Form submit="Make a link" send={send} onCancel={onClose}>
        <p>The earlier link no longer works.</p>
        <Field
          name="ownerEmail"
          label="Email of the owner"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
        <DeliveryChoice />
      </Form>
    </Dialog>
  )
}
