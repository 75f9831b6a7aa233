import { useState } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Email } from '../../ui/Email.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Time } from '../../ui/Time.tsx'
import { roleLabels } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { Invitation } from '../types.ts'
import { useBusiness } from './business.ts'

const mailWords = {
  handed: 'Handed over',
  waiting: 'Being mailed',
  sent: 'Mailed',
  failed: 'Could not be mailed',
}

interface Props {
  invitations: Invitation[]
  manages: boolean
  onChange: () => void
}

export function InvitationList({ invitations, manages, onChange }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const notify = useNotify()
  const [taking, setTaking] = useState<Invitation>()

  async function takeBack({ id, email }: Invitation): Promise<void> {
    await api.call('revokeInvitation', { path: { businessId: business.id, invitationId: id } })
    setTaking(undefined)
    onChange()
    notify(`The invitation of ${email} is void.`)
  }

  if (invitations.length === 0) return <Empty title="No invitation waits for an answer." />
  const columns = [
    { head: 'Email', cell: (each: Invitation) => <Email of={each.email} /> },
    { head: 'Role', whole: true, cell: (each: Invitation) => roleLabels[each.role].label },
    {
      head: 'Invited by',
      cell: (each: Invitation) => (each.invitedBy ? <Email of={each.invitedBy} /> : 'The platform'),
    },
    { head: 'Link', cell: (each: Invitation) => mailWords[each.mail ?? 'handed'] },
    { head: 'Holds until', cell: (each: Invitation) => <Time at={each.expiresAt} /> },
  ]
  const actions = {
    head: 'Actions',
    actions: true,
    cell: (each: Invitation) => (
      <button
        type="button"
        className="button danger"
        aria-label={`Take back the invitation of ${each.email}`}
        onClick={() => setTaking(each)}
      >
        Take back
      </button>
    ),
  }
  return (
    <>
      <DataTable
        caption="Invitations"
        columns={manages ? [...columns, actions] : columns}
        rows={invitations}
        keyOf={(each) => each.id}
      />
      {taking && (
        <ConfirmDialog
          title="Take this invitation back?"
          confirm="Take back"
          onClose={() => setTaking(undefined)}
          act={() => takeBack(taking)}
        >
          <p>The link that {taking.email} has will no longer work.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
