import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { reasonLabels } from '../payouts/reasonLabels.ts'
import { isOpen, kindLabels, refundStatusLabels } from './refundLabels.ts'
import type { Refund } from './types.ts'

interface Props {
  refunds: Refund[]
  onCancel: (refund: Refund) => void
}

export function RefundTable({ refunds, onCancel }: Props) {
  const { develops } = useBusiness()
  return (
    <DataTable
      caption="Refunds"
      rows={refunds}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Refund',
          cell: ({ amount, token, chain, kind }) => (
            <>
              <span className="strong amount">{`${amount} ${token}`}</span>
              <span className="fine">{chainLabel(chain)}</span>
              {kind !== 'amount' && <span className="fine">{kindLabels[kind]}</span>}
            </>
          ),
        },
        { head: 'To', cell: (refund) => <RefundedTo refund={refund} /> },
        {
          head: 'State',
          cell: ({ status, reason, txHash }) => (
            <>
              <Badge tone={refundStatusLabels[status].tone}>{refundStatusLabels[status].label}</Badge>
              {reason && <span className="fine">{reasonLabels(reason)}</span>}
              {txHash && (
                <span className="fine">
                  Transaction <code>{txHash}</code>
                </span>
              )}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ...(develops && refunds.some(isOpen)
          ? [
              {
                head: 'Cancel',
                actions: true,
                cell: (refund: Refund) =>
                  isOpen(refund) && (
                    <button
                      type="button"
                      className="button danger"
                      aria-label={`Cancel refund of ${refund.amount} ${refund.token}`}
                      onClick={() => onCancel(refund)}
                    >
                      Cancel refund
                    </button>
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}

function RefundedTo({
  refund: { toAddress, memo, memoType, claim },
}: {
  refund: Pick<Refund, 'toAddress' | 'memo' | 'memoType' | 'claim'>
}) {
  if (toAddress === null)
    return claim?.status === 'waiting' ? (
      <>
        Your customer names it
        <span className="fine">
          By the link, until <Time at={claim.expiresAt} />
        </span>
      </>
    ) : (
      'Your customer named no address'
    )
  return (
    <>
      <code>{toAddress}</code>
      {memo !== null && <span className="fine">{`Memo ${memo} (${memoType})`}</span>}
      {claim && <span className="fine">Named by your customer</span>}
    </>
  )
}
