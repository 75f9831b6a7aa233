import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { stakePath } from './paths.ts'
import { stakeNote, stakeStatusLabels, stakeTypeLabels } from './stakeLabels.ts'
import type { Stake } from './types.ts'

/** Native stakes are locked only while they cool down. */
function LockedUntil({ stake: { type, lockedUntil, withdrawableAt } }: { stake: Stake }) {
  const at = type === 'native' ? withdrawableAt : lockedUntil
  return at === null ? '—' : <Time at={at} />
}

export function StakeTable({ stakes }: { stakes: Stake[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Stakes"
      rows={stakes}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Amount',
          cell: ({ id, amount, token, chain, type }) => (
            <>
              <Link className="strong amount" href={stakePath(business.id, id)}>
                {`${amount} ${token}`}
              </Link>
              <span className="fine">{`${chainLabel(chain)}, ${stakeTypeLabels[type].toLowerCase()}`}</span>
            </>
          ),
        },
        {
          head: 'Rewards',
          cell: ({ rewards, token }) => <span className="amount">{`${rewards} ${token}`}</span>,
        },
        { head: 'Locked until', cell: (stake) => <LockedUntil stake={stake} /> },
        {
          head: 'State',
          cell: (stake) => (
            <>
              <Badge tone={stakeStatusLabels[stake.status].tone}>
                {stakeStatusLabels[stake.status].label}
              </Badge>
              {stakeNote(stake) && <span className="fine">{stakeNote(stake)}</span>}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
