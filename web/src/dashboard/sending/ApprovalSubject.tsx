import { Link } from 'wouter'
import { readable } from '../books/readable.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { BatchInShort } from '../payouts/batches/BatchInShort.tsx'
import { payoutPath } from '../payouts/paths.ts'
import { describeDestination } from '../payouts/payoutLabels.ts'
import { sessionPath } from '../posSessions/paths.ts'
import { transferPath } from '../transfers/paths.ts'
import { describeAmounts, writeLimits } from './limitsForm.ts'
import { settingLabels, writeSetting } from './settingLabels.ts'
import type { SendApproval } from './types.ts'

const subjectWords: Record<SendApproval['subject'], string> = {
  transfer: 'transfer',
  'bridge-burn': 'bridge transfer',
  payout: 'payout',
  destination: 'destination',
  limits: 'change of limits',
  setting: 'change of settings',
  owner: 'owner',
}

/** The subject of an approval in short. */
export function subjectLabel({
  subject,
  refund,
  batch,
}: Pick<SendApproval, 'subject' | 'refund' | 'batch'>): string {
  if (batch) return 'batch of payouts'
  if (refund) return 'refund'
  return subjectWords[subject]
}

/**
 * The subject of an approval: a transfer, a bridge transfer, a payout, a refund, a destination, higher
 * limits, another setting, or another owner.
 */
export function ApprovalSubject({
  approval: { transfer, bridge, payout, batch, refund, destination, limits, setting, owner },
}: {
  approval: SendApproval
}) {
  if (transfer) return <Transfer transfer={transfer} />
  if (bridge)
    return (
      <>
        <span className="strong">{bridge.amount} USDC</span>{' '}
        <span className="fine">
          From {chainLabel(bridge.sourceChain)} <code>{bridge.sourceAddress}</code> to{' '}
          {chainLabel(bridge.destinationChain)} <code>{bridge.destinationAddress}</code>
        </span>
      </>
    )
  if (payout) return <Payout payout={payout} />
  if (batch) return <BatchInShort batch={batch} />
  if (refund) return <Refund refund={refund} />
  if (limits)
    return (
      <>
        <span className="strong">Limits of {limits.name ?? limits.id} that allow more</span>{' '}
        <Limits label="Now" of={limits.before} /> <Limits label="Wanted" of={limits.after} />
      </>
    )
  if (destination)
    return (
      <>
        <span className="strong">New payout destination</span> {destination.name}{' '}
        <code>{describeDestination(destination)}</code>
      </>
    )
  if (setting)
    return (
      <>
        <span className="strong">{settingLabels[setting.name]}</span>{' '}
        <span className="fine">Now: {writeSetting(setting.before)}</span>{' '}
        <span className="fine">Wanted: {writeSetting(setting.after)}</span>
      </>
    )
  return <span className="strong">{owner?.email} as an owner</span>
}

function Transfer({
  transfer: { id, amount, symbol, chain, fromAddress, toAddress, memo },
}: {
  transfer: NonNullable<SendApproval['transfer']>
}) {
  const { business } = useBusiness()
  return (
    <>
      <Link className="strong" href={transferPath(business.id, id)}>
        {`${amount} ${symbol}`}
      </Link>{' '}
      <span className="fine">
        {chainLabel(chain)}, from <code>{fromAddress}</code> to <code>{toAddress}</code>
        {memo && ` (${memo})`}
      </span>
    </>
  )
}

function Payout({
  payout: { id, amount, source, destination, receiveAmount, receiveCurrency },
}: {
  payout: NonNullable<SendApproval['payout']>
}) {
  const { business } = useBusiness()
  return (
    <>
      <Link className="strong" href={payoutPath(business.id, id)}>
        {`${amount} ${source.token}`}
      </Link>{' '}
      <span className="fine">
        Payout from {chainLabel(source.chain)} to {destination.name}{' '}
        <code>{describeDestination(destination)}</code>
        {receiveAmount !== null && `; ${readable(receiveAmount).text} ${receiveCurrency} arrives`}
      </span>
    </>
  )
}

function Refund({
  refund: { amount, token, chain, toAddress, memo, sessionId },
}: {
  refund: NonNullable<SendApproval['refund']>
}) {
  const { business } = useBusiness()
  const what = `${amount} ${token}`
  return (
    <>
      {sessionId === null ? (
        <span className="strong">{what}</span>
      ) : (
        <Link className="strong" href={sessionPath(business.id, sessionId)}>
          {what}
        </Link>
      )}{' '}
      <span className="fine">
        Refund on {chainLabel(chain)} to <code>{toAddress}</code>
        {memo !== null && ` with memo ${memo}`}
      </span>
    </>
  )
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
