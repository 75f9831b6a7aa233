import { chainLabel } from '../words.ts'
import { describeAmounts, writeLimits } from './limitsForm.ts'
import type { SendApproval } from './types.ts'

/** The subject of an approval in a few words. */
export function subjectWord({ subject }: Pick<SendApproval, 'subject'>): string {
  return { transfer: 'transfer', limits: 'change of limits', owner: 'owner' }[subject]
}

/** The subject of an approval: a transfer, higher limits, or another owner. */
export function ApprovalSubject({ approval: { transfer, limits, owner } }: { approval: SendApproval }) {
  if (transfer)
    return (
      <>
        <span className="strong">
          {transfer.amount} {transfer.symbol}
        </span>{' '}
        <span className="fine">
          {chainLabel(transfer.chain)}, from <code>{transfer.fromAddress}</code> to <code>{transfer.toAddress}</code>
          {transfer.memo && ` (${transfer.memo})`}
        </span>
      </>
    )
  if (limits)
    return (
      <>
        <span className="strong">Limits of {limits.name ?? limits.id} that allow more</span> <Limits label="Now" of={limits.before} />{' '}
        <Limits label="Wanted" of={limits.after} />
      </>
    )
  return <span className="strong">{owner?.email} as an owner</span>
}

function Limits({ label, of }: { label: string; of: NonNullable<SendApproval['limits']>['after'] }) {
  const { destinations } = writeLimits(of)
  return (
    <span className="fine">
      {label}: {describeAmounts(of).replaceAll('\n', '; ') || 'amounts not limited'};{' '}
      <code>{destinations.replaceAll('\n', '; ') || 'to anywhere'}</code>
    </span>
  )
}
