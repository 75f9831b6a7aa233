import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { readable } from '../books/readable.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { sessionPath } from '../posSessions/paths.ts'
import { PaidTo } from './PaidTo.tsx'
import { payoutStatusLabels } from './payoutLabels.ts'
import { reasonLabels } from './reasonLabels.ts'
import type { Payout } from './types.ts'

type Fact = [name: string, value: ReactNode]

/** A fact that not every payout has. */
const ifAny = (name: string, value: ReactNode): Fact[] =>
  value === null || value === '' ? [] : [[name, value]]

export function PayoutFacts({ payout }: { payout: Payout }) {
  const { business } = useBusiness()
  const {
    status,
    reason,
    amount,
    source,
    destination,
    fee,
    feeCurrency,
    rate,
    receiveAmount,
    receiveCurrency,
    networkCost,
  } = payout
  const { label, tone } = payoutStatusLabels[status]
  const facts: Fact[] = [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    ...ifAny('Reason', reason && reasonLabels(reason)),
    ['Amount', `${amount} ${source.token} on ${chainLabel(source.chain)}, fee included`],
    ['Fee', fee === null ? 'Not priced yet' : `${fee} ${feeCurrency}`],
    ...ifAny('Rate', rate && `${rate} ${receiveCurrency} for 1 ${source.token}`),
    ...ifAny('Priced', payout.pricedAt && <Time at={payout.pricedAt} />),
    [
      'Arrives',
      receiveAmount === null ? 'Not priced yet' : `${readable(receiveAmount).text} ${receiveCurrency}`,
    ],
    ['To', <PaidTo key="to" destination={destination} />],
    ...ifAny(
      'Network cost',
      networkCost && `${networkCost.amount} ${networkCost.token}, paid by the platform`,
    ),
    ...ifAny('Transaction', payout.txHash && <code>{payout.txHash}</code>),
    ...ifAny('Partner’s payment', payout.partnerPaymentId && <PartnerPayment payout={payout} />),
    ...ifAny('Proof of payment', payout.paidElsewhere),
    ...ifAny(
      'Payment',
      payout.sessionId && <Link href={sessionPath(business.id, payout.sessionId)}>{payout.sessionId}</Link>,
    ),
    ...ifAny('Reference', payout.reference),
    ...ifAny(
      'Approval until',
      payout.approval?.state === 'waiting' ? <Time at={payout.approval.expiresAt} /> : null,
    ),
    ['Id', <code key="id">{payout.id}</code>],
  ]
  return <Facts facts={facts} />
}

function PartnerPayment({ payout: { partnerPaymentId, partnerPaymentStatus } }: { payout: Payout }) {
  return (
    <>
      <code>{partnerPaymentId}</code>
      {partnerPaymentStatus && <span className="fine">The partner calls it {partnerPaymentStatus}</span>}
    </>
  )
}
