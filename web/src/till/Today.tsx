import { useEffect, useRef } from 'react'
import { chainNames } from '../checkout/chainNames.ts'
import { useApi } from '../dashboard/session/session.ts'
import { Badge, type Tone } from '../ui/Badge.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useLoaded } from '../ui/useLoaded.ts'
import { currencyAmount, totalAmount } from './currencyAmount.ts'
import type { TillDay, TillSession } from './types.ts'

interface Props {
  businessId: string
  onOpen: (session: TillSession) => void
}

const rereadMs = 10_000

/** The payments that were made at the till today, and their total. */
export function Today({ businessId, onOpen }: Props) {
  const api = useApi()
  const day = useLoaded(businessId, (signal) =>
    api.call('listTillSessions', { path: { businessId }, signal }),
  )
  const { reload } = day
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = 'Today · Till'
    heading.current?.focus({ preventScroll: true })
    const timer = setInterval(reload, rereadMs)
    return () => clearInterval(timer)
  }, [reload])
  return (
    <section className="today" aria-label="Today">
      <h1 ref={heading} tabIndex={-1}>
        Today
      </h1>
      <Loaded of={day}>{(value) => <Day day={value} onOpen={onOpen} />}</Loaded>
    </section>
  )
}

function Day({ day, onOpen }: { day: TillDay; onOpen: (session: TillSession) => void }) {
  const { sessions, totals, paid, count, timeZone } = day
  return (
    <>
      <div className="till-total">
        <p className="quiet">
          Taken, {paid} of {count} {count === 1 ? 'payment' : 'payments'}
        </p>
        {totals.length === 0 && <p className="figure">–</p>}
        {totals.map(({ currency, amount }) => (
          <p key={currency} className="figure">
            {totalAmount(amount, currency)}
          </p>
        ))}
      </div>
      {sessions.length === 0 && <p className="quiet">No payment was made at this till today.</p>}
      <ul className="till-list">
        {sessions.map((session) => (
          <li key={session.id}>
            <button type="button" className="till-row" onClick={() => onOpen(session)}>
              <time dateTime={session.createdAt}>{timeOf(session.createdAt, timeZone)}</time>
              <span className="till-what">
                <strong>{priceOf(session)}</strong>
                <span className="quiet">
                  {session.amountExpected} {session.token} on {chainNames[session.chain]}
                </span>
              </span>
              <Badge tone={stateOf(session).tone}>{stateOf(session).label}</Badge>
            </button>
          </li>
        ))}
      </ul>
      {count > sessions.length && <p className="quiet">The newest {sessions.length} are shown.</p>}
    </>
  )
}

const timeOf = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }).format(new Date(iso))

const priceOf = ({ localAmount, localCurrency, amountExpected, token }: TillSession): string =>
  localAmount !== null && localCurrency !== null
    ? currencyAmount(localAmount, localCurrency)
    : `${amountExpected} ${token}`

const states: Record<TillSession['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'wait' },
  paid: { label: 'Paid', tone: 'good' },
  paid_out: { label: 'Paid', tone: 'good' },
  expired: { label: 'Expired', tone: 'plain' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}
const exceptions: Partial<Record<TillSession['exception'], { label: string; tone: Tone }>> = {
  underpaid: { label: 'Underpaid', tone: 'bad' },
  overpaid: { label: 'Overpaid', tone: 'good' },
  late: { label: 'Late money', tone: 'bad' },
  wrong_token: { label: 'Wrong token', tone: 'bad' },
  wrong_chain: { label: 'Wrong network', tone: 'bad' },
}

/** What needs attention goes before the state. */
const stateOf = ({ status, exception }: TillSession) =>
  (status === 'paid' && exception !== 'overpaid' ? undefined : exceptions[exception]) ?? states[status]
