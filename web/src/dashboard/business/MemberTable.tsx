import { DataTable } from '../../ui/DataTable.tsx'
import { Email } from '../../ui/Email.tsx'
import { Time } from '../../ui/Time.tsx'
import { roleLabels } from '../labels.ts'
import type { Member } from '../types.ts'

interface Props {
  members: Member[]
  /** The id of the signed-in account. */
  me: string
  manages: boolean
  onRole: (member: Member) => void
  onRemove: (member: Member) => void
}

export function MemberTable({ members, me, manages, onRole, onRemove }: Props) {
  const columns = [
    {
      head: 'Member',
      cell: (member: Member) => (
        <>
          <span className="strong">
            {member.name}
            {member.accountId === me && ' (you)'}
          </span>
          <span className="fine">
            <Email of={member.email} />
          </span>
        </>
      ),
    },
    { head: 'Role', whole: true, cell: (member: Member) => roleLabels[member.role].label },
    { head: 'Two-step sign-in', cell: (member: Member) => (member.secondFactor ? 'On' : 'Off') },
    { head: 'Joined', cell: (member: Member) => <Time at={member.joinedAt} /> },
  ]
  const actions = {
    head: 'Actions',
    actions: true,
    cell: (member: Member) => (
      <>
        <button
          type="button"
          className="button"
          aria-label={`Change role of ${member.email}`}
          onClick={() => onRole(member)}
        >
          Change role
        </button>
        {member.accountId !== me && (
          <button
            type="button"
            className="button danger"
            aria-label={`Remove ${member.email}`}
            onClick={() => onRemove(member)}
          >
            Remove
          </button>
        )}
      </>
    ),
  }
  return (
    <DataTable
      caption="Members"
      columns={manages ? [...columns, actions] : columns}
      rows={members}
      keyOf={(member) => member.accountId}
    />
  )
}
