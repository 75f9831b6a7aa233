import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../words.ts'
import { stakePath } from './paths.ts'
import { stakeNote, stakeStatusWords } from './stakeWords.ts'
import type { Stake } from './types.ts'

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
          cell: ({ id, amount, token, chain }) => (
            <>
              <Link className="strong amount" href={stakePath(business.id, id)}>
                {`${amount} ${token}`}
              </Link>
              <span className="fine">{chainLabel(chain)}</span>
            </>
          ),
        },
        { head: 'Rewards', cell: ({ rewards, token }) => <span className="amount">{`${rewards} ${token}`}</span> },
        { head: 'Locked until', cell: ({ lockedUntil }) => <Time at={lockedUntil} /> },
        {
          head: 'State',
          cell: (stake) => (
            <>
              <Badge tone={stakeStatusWords[stake.status].tone}>{stakeStatusWords[stake.status].label}</Badge>
              {stakeNote(stake) && <span className="fine">{stakeNote(stake)}</span>}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
