import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { stakesPath } from './paths.ts'
import { stakeNote, stakeStatusLabels, stakeTypeLabels, transactionLabels } from './stakeLabels.ts'
import type { Stake } from './types.ts'

/** One stake: its state, what it earns, and its transaction. */
export function StakePage({ stakeId }: { stakeId: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id, id: stakeId }
  const loaded = useLoaded(`${business.id} ${stakeId}`, (signal) =>
    api.call('getStakeOfBusiness', { path, signal }),
  )
  const present = loaded.now.state === 'ready' ? loaded.now.value : undefined
  const isOpen = present !== undefined && present.status !== 'withdrawn'
  return (
    <Page
      title={present ? `Stake of ${present.amount} ${present.token}` : 'Stake'}
      tab={`Stake · ${business.name}`}
      lead={<Link href={stakesPath(business.id)}>All stakes</Link>}
      actions={
        isOpen && (
          <button type="button" className="button" onClick={() => void loaded.reload()}>
            Refresh
          </button>
        )
      }
    >
      <Loaded of={loaded}>{(stake) => <StakeFacts stake={stake} />}</Loaded>
    </Page>
  )
}

type Fact = [name: string, value: ReactNode]

/** A fact that not every stake has. */
const ifAny = (name: string, value: ReactNode): Fact[] => (value === null ? [] : [[name, value]])
const withdrawalOf = ({ withdrawalTxHashes }: Stake): ReactNode =>
  withdrawalTxHashes.length === 0
    ? null
    : withdrawalTxHashes.map((hash) => (
        <div key={hash}>
          <code>{hash}</code>
        </div>
      ))
const timeOf = (at: string | null) => at && <Time at={at} />

function StakeFacts({ stake }: { stake: Stake }) {
  const { type, status, token, penalty, netAmount, txHash, validator, reason, rent } = stake
  const { label, tone } = stakeStatusLabels[status]
  const lock: Fact[] = [['Locked until', <Time key="locked" at={stake.lockedUntil} />]]
  const facts: Fact[] = [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    ...ifAny('Note', stakeNote(stake)),
    ...ifAny('Reason', reason && <code>{reason}</code>),
    ['Type', stakeTypeLabels[type]],
    ['Amount', `${stake.amount} ${token}`],
    ...ifAny('Rent', rent && `${rent} ${token}, paid back with the withdrawal`),
    [status === 'active' ? 'Rewards up to now' : 'Rewards', `${stake.rewards} ${token}`],
    ...ifAny('Penalty', penalty && `${penalty} ${token}`),
    ...ifAny('Net amount', netAmount && `${netAmount} ${token}`),
    ['Network', chainLabel(stake.chain)],
    ['From', <code key="from">{stake.fromAddress}</code>],
    ...ifAny('Validator', validator && <code>{validator}</code>),
    ['Transaction', txHash === null ? 'Not signed' : <code key="hash">{txHash}</code>],
    ...ifAny('Withdrawal', withdrawalOf(stake)),
    ['Transaction state', transactionLabels[stake.transactionStatus]],
    ...(type === 'native' ? ifAny('Can be withdrawn from', timeOf(stake.withdrawableAt)) : lock),
    ['Created', <Time key="created" at={stake.createdAt} />],
    ...ifAny('Confirmed', timeOf(stake.confirmedAt)),
    ...ifAny('Unstaked', timeOf(stake.unstakedAt)),
    ...ifAny('Withdrawn', timeOf(stake.withdrawnAt)),
    ['Id', <code key="id">{stake.id}</code>],
  ]
  return <Facts facts={facts} />
}
