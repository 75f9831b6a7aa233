import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { DeliveryChoice, readDelivery } from '../DeliveryChoice.tsx'
import { textOf, trimmed } from '../formData.ts'
import { readRole, roleChoices } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { useBusiness } from './business.ts'

interface Props {
  onClose: () => void
  onInvited: (email: string, token: string | null) => void
}

export function InviteDialog({ onClose, onInvited }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  async function send(data: FormData): Promise<void> {
    const body = {
      email: trimmed(data, 'email'),
      role: readRole(textOf(data, 'role')),
      ...readDelivery(data),
    }
    const { invitation, token } = await api.call('inviteMember', { path: { businessId: business.id }, body })
    onInvited(invitation.email, token)
  }
  return (
    <Dialog title="Invite a member" onClose={onClose}>
      <Form submit="Make invitation" send={send} onCancel={onClose}>
        <Field name="email" label="Email" type="email" required maxLength={254} autoComplete="off" />
        <Choices name="role" legend="Role" choices={roleChoices} chosen="developer" />
        <DeliveryChoice />
      </Form>
    </Dialog>
  )
}
