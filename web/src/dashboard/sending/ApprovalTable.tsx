import { Badge, type Tone } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { ApprovalSubject } from './ApprovalSubject.tsx'
import type { SendApproval } from './types.ts'

const states: Record<SendApproval['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'wait' },
  approved: { label: 'Approved', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  expired: { label: 'Expired', tone: 'plain' },
}

/** Why the transfer does not go on, whether approved or not. */
const stopped: Partial<Record<string, string>> = {
  held: 'Held: the business is suspended. Nothing is signed or sent until it is approved again.',
  given_up: 'The operator of this platform has given it up. It will not be sent.',
}

const noIndependentOwner =
  'No owner is independent of it: each one requested it or is behind the one who did. Another owner has to join.'

interface Props {
  approvals: SendApproval[]
  onDecide: (approval: SendApproval, decision: 'approved' | 'refused') => void
}

export function ApprovalTable({ approvals, onDecide }: Props) {
  const { owns } = useBusiness()
  return (
    <DataTable
      caption="Approvals"
      rows={approvals}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'What',
          cell: (approval) => <ApprovalSubject approval={approval} />,
        },
        {
          head: 'Asked by',
          cell: ({ askedBy, askedAt }) => (
            <>
              {askedBy} <Time at={askedAt} />
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ state, decidedBy, transfer, needs }) => (
            <>
              <Badge tone={states[state].tone}>{states[state].label}</Badge>
              {needs === 'independent_owner' && <span className="fine">{noIndependentOwner}</span>}
              {decidedBy && <span className="fine">by {decidedBy}</span>}
              {transfer?.reason && stopped[transfer.reason] && (
                <span className="fine">{stopped[transfer.reason]}</span>
              )}
            </>
          ),
        },
        { head: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        ...(owns
          ? [
              {
                head: 'Decide',
                actions: true,
                cell: (approval: SendApproval) =>
                  approval.state === 'waiting' &&
                  (approval.transfer?.status ?? 'pending') === 'pending' &&
                  ((approval.payout ?? approval.batch ?? approval.refund)?.status ?? 'awaiting_approval') ===
                    'awaiting_approval' && (
                    <>
                      {approval.own ? (
                        <span className="fine">
                          You requested it, made the key that did, or brought in or promoted a member behind
                          it: another owner has to approve it.
                        </span>
                      ) : (
                        <button
                          type="button"
                          className="button"
                          onClick={() => onDecide(approval, 'approved')}
                        >
                          Approve
                        </button>
                      )}
                      <button type="button" className="button" onClick={() => onDecide(approval, 'refused')}>
                        Refuse
                      </button>
                    </>
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}
