import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { Amount } from '../books/Amount.tsx'
import { chainLabel } from '../labels.ts'
import { type PayoutPartner, partnerState, topUpLabels } from './partnerLabels.ts'

type Fact = [name: string, value: ReactNode]

export function PartnerFacts({ partner }: { partner: PayoutPartner }) {
  const { balances, underWay, booked, pause, topUp, comparison } = partner
  const { label, tone } = partnerState(partner)
  const facts: Fact[] = [
    [
      'State',
      <span key="state">
        <Badge tone={tone}>{label}</Badge>
        {pause && (
          <span className="fine">
            Since <Time at={pause.since} /> by {pause.by}: {pause.reason}
          </span>
        )}
      </span>,
    ],
    ['Balance', balances.length === 0 ? 'Not read yet' : <Balances key="balances" balances={balances} />],
    ['In the books', <Amount key="booked" of={booked} unit="USD" />],
    ['Under way', <UnderWay key="under-way" underWay={underWay} />],
    [
      'Top-up',
      topUp ? (
        <span key="top-up">
          {topUp.amount} {topUp.token} on {chainLabel(topUp.chain)}, {topUpLabels[topUp.status]}
          <span className="fine">
            Since <Time at={topUp.createdAt} />
          </span>
        </span>
      ) : (
        'None'
      ),
    ],
    ['Last comparison', comparison ? <Comparison key="comparison" of={comparison} /> : 'None yet'],
  ]
  return <Facts facts={facts} />
}

function Balances({ balances }: Pick<PayoutPartner, 'balances'>) {
  return (
    <ul className="lines">
      {balances.map(({ currency, available, readAt }) => (
        <li key={currency}>
          <Amount of={available} unit={currency} />
          <span className="fine">
            Read <Time at={readAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function UnderWay({ underWay: { payouts, amount, unknown } }: Pick<PayoutPartner, 'underWay'>) {
  if (payouts === 0) return 'Nothing'
  return (
    <>
      {payouts === 1 ? '1 payout' : `${payouts} payouts`}, <Amount of={amount} unit="USD" /> at most{' '}
      {unknown > 0 && <Badge tone="bad">{`${unknown} not known`}</Badge>}
    </>
  )
}

function Comparison({ of: { at, unmatched, drift } }: { of: NonNullable<PayoutPartner['comparison']> }) {
  return (
    <>
      <Time at={at} />{' '}
      <Badge tone={unmatched === 0 ? 'good' : 'bad'}>
        {unmatched === 0 ? 'All payments match' : `${unmatched} without a match`}
      </Badge>
      <span className="fine">
        {drift === null
          ? 'The partner did not report its balance then.'
          : `Its balance was ${drift} USD above the books.`}
      </span>
    </>
  )
}
