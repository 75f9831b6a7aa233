import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Money } from '../../ui/Money.tsx'
import { useBusiness } from '../business/business.ts'
import { businessPath } from '../shell/navigation.ts'
import { durationText, listOf, paymentsText, shareText } from './texts.ts'
import type { Overview } from './types.ts'

/** What was taken, and what there is. */
export function Figures({
  overview: { taken, currency, balances, sessions, confirmSeconds },
}: {
  overview: Overview
}) {
  const { business } = useBusiness()
  const share = shareText(sessions)
  return (
    <ul className="figures" aria-label="Figures">
      <Figure name="Taken today" note={paymentsText(taken.today.payments)}>
        <Money amount={taken.today.amount} currency={currency} />
      </Figure>
      <Figure name="Last 7 days" note={paymentsText(taken.last7Days.payments)}>
        <Money amount={taken.last7Days.amount} currency={currency} />
      </Figure>
      <Figure name="Last 30 days" note={paymentsText(taken.last30Days.payments)}>
        <Money amount={taken.last30Days.amount} currency={currency} />
      </Figure>
      <Figure
        name={<Link href={`${businessPath(business.id)}/balances`}>Balance</Link>}
        note={
          <>
            <Money amount={balances.available} currency={currency} /> available
            {balances.unpriced.length > 0 && `, without ${listOf(balances.unpriced)}`}
          </>
        }
      >
        <Money amount={balances.total} currency={currency} />
      </Figure>
      <Figure name="Paid, of 30 days" note={share.note}>
        {share.share}
      </Figure>
      <Figure
        name="Time to confirm"
        note={confirmSeconds === null ? 'No payment was confirmed yet.' : 'Half of the payments are quicker.'}
      >
        {confirmSeconds === null ? '–' : durationText(Number(confirmSeconds))}
      </Figure>
    </ul>
  )
}

function Figure({ name, note, children }: { name: ReactNode; note: ReactNode; children: ReactNode }) {
  return (
    <li className="figure-card">
      <p className="figure-name">{name}</p>
      <p className="figure-value">{children}</p>
      <p className="fine">{note}</p>
    </li>
  )
}
