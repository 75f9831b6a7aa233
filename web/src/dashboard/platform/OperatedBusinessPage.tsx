import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useNotify } from '../../ui/Notices.tsx'
import { Page } from '../../ui/Page.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { TimeZoneForm } from '../business/TimeZoneForm.tsx'
import { invitationLink } from '../invitationLink.ts'
import { approvalLabels } from '../labels.ts'
import { useApi } from '../session/session.ts'
import type { OperatedBusiness } from '../types.ts'
import { CapsSection } from './CapsSection.tsx'
import { FeesForm } from './FeesForm.tsx'
import { HeldTransfersSection } from './HeldTransfersSection.tsx'
import { InviteOwnerDialog } from './InviteOwnerDialog.tsx'
import { OperatedMembers } from './OperatedMembers.tsx'
import { OwnerLinkNote } from './OwnerLinkNote.tsx'
import { Owners } from './Owners.tsx'
import { SuspendDialog } from './SuspendDialog.tsx'
import { Taken } from './Taken.tsx'

/** One business, as an operator of the platform sees it. */
export function OperatedBusinessPage({ businessId }: { businessId: string }) {
  const api = useApi()
  const notify = useNotify()
  const loaded = useLoaded(businessId, (signal) => api.call('viewBusiness', { path: { businessId }, signal }))
  const [open, setOpen] = useState<'approve' | 'suspend' | 'invite' | { email: string; token: string }>()
  const business = loaded.now.state === 'ready' ? loaded.now.value : undefined
  const close = () => setOpen(undefined)
  // Answers to changes are without what it took.
  const put = (next: OperatedBusiness) =>
    loaded.put(business?.volume ? { ...next, volume: business.volume } : next)

  async function approve(): Promise<void> {
    put(await api.call('approveBusiness', { path: { businessId } }))
    close()
    notify('The business is approved.')
  }

  async function saveTimeZone(timeZone: string): Promise<void> {
    loaded.put(await api.call('setTimeZone', { path: { businessId }, body: { timeZone } }))
    notify('The time zone is changed.')
  }

  function invited(email: string, token: string | null): void {
    setOpen(token === null ? undefined : { email, token })
    if (token === null) notify(`A mail is on its way to ${email}.`)
  }

  return (
    <Page
      title={business?.name ?? 'Business'}
      lead={<Link href="/platform/businesses">All businesses</Link>}
      actions={
        business && (
          <>
            {business.approval !== 'approved' && (
              <button type="button" className="button primary" onClick={() => setOpen('approve')}>
                Approve
              </button>
            )}
            {business.owners.length === 0 && (
              <button type="button" className="button" onClick={() => setOpen('invite')}>
                Invite the owner again
              </button>
            )}
            {business.approval !== 'suspended' && (
              <button type="button" className="button danger" onClick={() => setOpen('suspend')}>
                Suspend
              </button>
            )}
          </>
        )
      }
    >
      <Loaded of={loaded}>
        {(value) => (
          <>
            <Facts
              facts={[
                [
                  'State',
                  <Badge key="state" tone={approvalLabels[value.approval].tone}>
                    {approvalLabels[value.approval].label}
                  </Badge>,
                ],
                ...(value.approvalReason
                  ? [['Reason', value.approvalReason] satisfies [string, string]]
                  : []),
                ...(value.heldTransfers > 0
                  ? [['Held transfers', String(value.heldTransfers)] satisfies [string, string]]
                  : []),
                ['Owners', <Owners key="owners" of={value.owners} />],
                ['Local currency', value.localCurrency ?? 'None'],
                ['Business id', <code key="id">{value.id}</code>],
                ['Opened', <Time key="opened" at={value.createdAt} />],
                ...(value.volume
                  ? ([
                      ['Taken today', <Taken key="today" of={value.volume.today} />],
                      ['Taken in 30 days', <Taken key="days30" of={value.volume.days30} />],
                      [
                        'Last payment',
                        value.volume.lastPaymentAt ? (
                          <Time key="last" at={value.volume.lastPaymentAt} />
                        ) : (
                          'None yet'
                        ),
                      ],
                    ] satisfies [string, ReactNode][])
                  : []),
                [
                  'Audit log',
                  <Link key="audit" href={`/platform/audit?businessId=${encodeURIComponent(value.id)}`}>
                    What was changed in it
                  </Link>,
                ],
              ]}
            />
            <OperatedMembers businessId={value.id} />
            {value.approval === 'suspended' && (
              <HeldTransfersSection business={value} onGivenUp={loaded.reload} />
            )}
            <Section title="Fee and margin" lead="They apply to payments that start from now on.">
              <FeesForm businessId={value.id} fees={value} onSaved={put} />
            </Section>
            <Section title="Time zone" lead="Its days and months are by the clocks of this zone.">
              <TimeZoneForm timeZone={value.timeZone} save={saveTimeZone} />
            </Section>
            <CapsSection business={value} onSaved={put} />
          </>
        )}
      </Loaded>
      {business && open === 'approve' && (
        <ConfirmDialog
          title={`Approve ${business.name}?`}
          confirm="Approve business"
          danger={false}
          onClose={close}
          act={approve}
        >
          <p>Its API keys and access tokens work in production from now on.</p>
          {business.heldTransfers > 0 && <p>Held transfers resume: {business.heldTransfers}.</p>}
        </ConfirmDialog>
      )}
      {business && open === 'invite' && (
        <InviteOwnerDialog businessId={businessId} onClose={close} onInvited={invited} />
      )}
      {typeof open === 'object' && (
        <SecretDialog
          title="The owner's new link"
          name="Invitation link"
          secret={invitationLink(open.token)}
          onClose={close}
        >
          <OwnerLinkNote email={open.email} />
        </SecretDialog>
      )}
      {business && open === 'suspend' && (
        <SuspendDialog business={business} onClose={close} onSuspended={put} />
      )}
    </Page>
  )
}
