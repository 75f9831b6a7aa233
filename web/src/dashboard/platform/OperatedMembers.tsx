import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Email } from '../../ui/Email.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { roleLabels } from '../labels.ts'
import { useApi } from '../session/session.ts'

/** The members of a business, as an operator sees them. */
export function OperatedMembers({ businessId }: { businessId: string }) {
  const api = useApi()
  const members = useLoaded(businessId, (signal) =>
    api.call('listOperatedMembers', { path: { businessId }, signal }),
  )
  return (
    <Section title="Members">
      <Loaded of={members}>
        {({ members: rows }) =>
          rows.length === 0 ? (
            <p>Nobody has joined it yet.</p>
          ) : (
            <DataTable
              caption="Members"
              rows={rows}
              keyOf={({ accountId }) => accountId}
              columns={[
                {
                  head: 'Person',
                  cell: ({ name, email }) => (
                    <>
                      <span className="strong">{name}</span>
                      <span className="fine">
                        <Email of={email} />
                      </span>
                    </>
                  ),
                },
                { head: 'Role', cell: ({ role }) => roleLabels[role].label },
                {
                  head: 'Second factor',
                  cell: ({ secondFactor }) => (
                    <Badge tone={secondFactor ? 'good' : 'plain'}>{secondFactor ? 'On' : 'Off'}</Badge>
                  ),
                },
                { head: 'Joined', cell: ({ joinedAt }) => <Time at={joinedAt} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
