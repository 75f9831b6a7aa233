import { useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { invitationLink } from '../invitationLink.ts'
import { useMe, useSession } from '../session/session.ts'
import type { Member } from '../types.ts'
import { useBusiness } from './business.ts'
import { ChangeRoleDialog } from './ChangeRoleDialog.tsx'
import { InvitationList } from './InvitationList.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { MemberTable } from './MemberTable.tsx'

type Open =
  | { what: 'invite' | 'leave' }
  | { what: 'link'; email: string; token: string }
  | { what: 'role' | 'remove'; member: Member }

export function MembersPage() {
  const { api, refresh } = useSession()
  const me = useMe()
  const { business, changeable, owns } = useBusiness()
  const notify = useNotify()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<Open>()
  const path = { businessId: business.id }
  const members = useLoaded(business.id, (signal) => api.call('listMembers', { path, signal }))
  const invitations = useLoaded(business.id, (signal) => api.call('listInvitations', { path, signal }))
  const close = () => setOpen(undefined)

  async function remove(member: Member): Promise<void> {
    await api.call('removeMember', { path: { ...path, accountId: member.accountId } })
    close()
    members.reload()
    notify(`${member.email} is removed.`)
  }

  async function leave(): Promise<void> {
    await api.call('leaveBusiness', { path })
    navigate('/businesses')
    await refresh()
    notify(`You have left ${business.name}.`)
  }

  return (
    <Page
      title="Members"
      tab={`Members · ${business.name}`}
      lead="The people who work with this business, and their roles."
      actions={
        owns && (
          <button type="button" className="button primary" onClick={() => setOpen({ what: 'invite' })}>
            Invite a member
          </button>
        )
      }
    >
      <Loaded of={members}>
        {(answer) => (
          <MemberTable
            members={answer.members}
            me={me.account.id}
            manages={owns}
            onRole={(member) => setOpen({ what: 'role', member })}
            onRemove={(member) => setOpen({ what: 'remove', member })}
          />
        )}
      </Loaded>
      <Section title="Invitations" lead="Links that were given out but not used yet.">
        <Loaded of={invitations}>
          {(answer) => (
            <InvitationList invitations={answer.invitations} manages={owns} onChange={invitations.reload} />
          )}
        </Loaded>
      </Section>
      {changeable && (
        <Section title="Leave" lead="You lose access at once. Only an owner can invite you again.">
          <button type="button" className="button danger" onClick={() => setOpen({ what: 'leave' })}>
            Leave this business
          </button>
        </Section>
      )}
      {open?.what === 'invite' && (
        <InviteDialog
          onClose={close}
          onInvited={(email, token) => {
            invitations.reload()
            setOpen(token === null ? undefined : { what: 'link', email, token })
            if (token === null) notify(`A mail is on its way to ${email}.`)
          }}
        />
      )}
      {open?.what === 'link' && (
        <SecretDialog
          title="Invitation made"
          name="Invitation link"
          secret={invitationLink(open.token)}
          onClose={close}
        >
          <p>
            Give this link to {open.email} yourself. It is shown only now, and anyone who has it can use it.
          </p>
        </SecretDialog>
      )}
      {open?.what === 'role' && (
        <ChangeRoleDialog
          member={open.member}
          onClose={close}
          onChanged={() => {
            close()
            members.reload()
            if (open.member.accountId === me.account.id) void refresh()
          }}
        />
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title="Remove this member?"
          confirm="Remove member"
          onClose={close}
          act={() => remove(open.member)}
        >
          <p>
            {open.member.email} loses access to {business.name} at once. API keys that they made belong to the
            business and keep working: revoke those that they know.
          </p>
        </ConfirmDialog>
      )}
      {open?.what === 'leave' && (
        <ConfirmDialog title={`Leave ${business.name}?`} confirm="Leave business" onClose={close} act={leave}>
          <p>You lose access at once. Only an owner can invite you again.</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
