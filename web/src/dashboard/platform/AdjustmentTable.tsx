import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Email } from '../../ui/Email.tsx'
import { Time } from '../../ui/Time.tsx'
import { assetLabels } from '../books/bookLabels.ts'
import { type Adjustment, accountOf, adjustmentStates } from './adjustmentLabels.ts'
import { SentTo } from './SentTo.tsx'

interface Props {
  adjustments: Adjustment[]
  onDecide: (adjustment: Adjustment, decision: 'approved' | 'refused') => void
}

export function AdjustmentTable({ adjustments, onDecide }: Props) {
  return (
    <DataTable
      caption="Adjustments"
      rows={adjustments}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'What',
          cell: (adjustment) => (
            <>
              <span className="strong">
                {adjustment.amount} {assetLabels(adjustment.asset)}
              </span>
              <span className="fine">
                Debit {accountOf(adjustment.debit, adjustment)}, credit{' '}
                {accountOf(adjustment.credit, adjustment)}
              </span>
              {adjustment.toAddress !== null && (
                <span className="fine">
                  Goes back to <SentTo adjustment={adjustment} />
                </span>
              )}
            </>
          ),
        },
        { head: 'Reason', cell: ({ reason }) => reason },
        {
          head: 'Proposed by',
          cell: ({ proposedBy, proposedAt }) => (
            <>
              <Email of={proposedBy} />
              <span className="fine whole">
                <Time at={proposedAt} />
              </span>
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ state, decidedBy }) => (
            <>
              <Badge tone={adjustmentStates[state].tone}>{adjustmentStates[state].label}</Badge>
              {decidedBy && (
                <span className="fine">
                  by <Email of={decidedBy} />
                </span>
              )}
            </>
          ),
        },
        {
          head: 'Decide',
          actions: true,
          cell: (adjustment) =>
            adjustment.state === 'waiting' && (
              <>
                {adjustment.own ? (
                  <span className="fine">You proposed it: another operator has to approve it.</span>
                ) : (
                  <button type="button" className="button" onClick={() => onDecide(adjustment, 'approved')}>
                    Approve
                  </button>
                )}
                <button type="button" className="button" onClick={() => onDecide(adjustment, 'refused')}>
                  Refuse
                </button>
              </>
            ),
        },
      ]}
    />
  )
}
