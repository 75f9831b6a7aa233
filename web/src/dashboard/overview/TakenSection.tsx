import { Suspense } from 'react'
import { Empty } from '../../ui/Empty.tsx'
import { lazyPage } from '../../ui/LazyPage.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Section.tsx'
import { chainLabel } from '../labels.ts'
import { byAsset } from './byAsset.ts'
import { DayTable } from './DayTable.tsx'
import { listOf, paymentsText } from './texts.ts'
import type { Overview } from './types.ts'

/** Its code, with the library, comes once there is something to draw. */
const DayChart = lazyPage(() =>
  import('./DayChart.tsx').then(
    (loaded) => loaded.DayChart,
    () => NoChart,
  ),
)

const NoChart = () => <p className="fine">The chart could not be loaded. The table has its numbers.</p>

const ChartPlace = () => (
  <div className="chart">
    <Loading />
  </div>
)

/** What was taken in 30 days: by day, and by network and token. */
export function TakenSection({ overview }: { overview: Overview }) {
  const { days, currency, taken, unpriced, timeZone } = overview
  if (taken.last30Days.payments === 0) {
    return (
      <Section title="Taken by day">
        <Empty title="Nothing was taken in the last 30 days.">
          <p>Each payment that is confirmed shows here on its day.</p>
        </Empty>
      </Section>
    )
  }
  return (
    <Section
      title="Taken by day"
      lead={`The last 30 days in the time zone ${timeZone.replaceAll('_', ' ')}.`}
    >
      <Suspense fallback={<ChartPlace />}>
        <DayChart days={days} currency={currency} />
      </Suspense>
      <details className="folded">
        <summary>As a table</summary>
        <DayTable days={days} currency={currency} />
      </details>
      <ul className="shares" aria-label="By network and token">
        {byAsset(days).map(({ chain, token, tokens, amount, payments, share }) => (
          <li key={`${chain} ${token}`}>
            <span className="strong">{`${token} on ${chainLabel(chain)}`}</span>
            <span>
              {amount === null ? `${tokens} ${token}` : <Money amount={amount} currency={currency} />}
            </span>
            <span className="fine">{paymentsText(payments)}</span>
            <progress value={share} max={100} aria-label={`Share of ${token} on ${chainLabel(chain)}`} />
          </li>
        ))}
      </ul>
      {unpriced.length > 0 && (
        <p className="fine">{`Without a price, and so not in the sums: ${listOf(unpriced)}.`}</p>
      )}
    </Section>
  )
}
