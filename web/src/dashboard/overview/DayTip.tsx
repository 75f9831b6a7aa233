import { Money } from '../../ui/Money.tsx'
import { wholeDayText } from './dayText.ts'
import { paymentsText, tokensText } from './texts.ts'
import type { Day } from './types.ts'

interface Props {
  day: Day
  currency: string
  /** Where the day's bar is, in a chart of this width. */
  at: number
  width: number
}

/** What was taken on a day, exactly, above its bar. Screen readers have it from the field of the chart. */
export function DayTip({ day, currency, at, width }: Props) {
  return (
    <div
      className="tip chart-tip"
      aria-hidden="true"
      // As far to the left of its place as the place is in the chart: it never leaves the chart.
      style={{ left: at, transform: `translateX(${(-100 * at) / width}%)` }}
    >
      <p>{wholeDayText(day.date)}</p>
      <p className="strong">
        <Money amount={day.amount} currency={currency} />
      </p>
      <ul className="fine">
        <li>{paymentsText(day.payments)}</li>
        {tokensText(day).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
