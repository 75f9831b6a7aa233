import { Choices } from '../../ui/Choices.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { textOf } from '../formData.ts'
import { readRole, roleChoices, roleLabels } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { Member } from '../types.ts'
import { useBusiness } from './business.ts'

interface Props {
  member: Member
  onClose: () => void
  onChanged: () => void
}

export function ChangeRoleDialog({ member, onClose, onChanged }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  async function send(data: FormData): Promise<void> {
    const role = readRole(textOf(data, 'role'))
    const answer = await api.call('changeMember', {
      path: { businessId: business.id, accountId: member.accountId },
      body: { role },
    })
    onChanged()
    notify(
      'approval' in answer
        ? `${member.email}: a second owner has to approve it.`
        : `${member.email}: ${roleLabels[role].label} from now on.`,
    )
  }
  return (
    <Dialog title="Change role" onClose={onClose}>
      <Form submit="Save role" send={send} onCancel={onClose}>
        <Choices name="role" legend={`Role of ${member.email}`} choices={roleChoices} chosen={member.role} />
      </Form>
    </Dialog>
  )
}
