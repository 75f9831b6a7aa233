import { moneyText } from '../../ui/Money.tsx'
import { chartScale } from './chartScale.ts'
import { dayText, wholeDayText } from './dayText.ts'
import { paymentsText } from './texts.ts'
import type { Day } from './types.ts'

interface Props {
  days: readonly Day[]
  currency: string
}

const height = 160
const slot = 24
const gap = 6

/**
 * A bar for each day. Thirty bars need no library: this is a picture with a text of its own for screen
 * readers, next to a table with each number.
 */
export function DayChart({ days, currency }: Props) {
  const amounts = days.map(({ amount }) => Number(amount))
  const { top, lines } = chartScale(Math.max(...amounts))
  const best = days[amounts.indexOf(Math.max(...amounts))]
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last || !best) return null
  const width = days.length * slot
  const short = (amount: number) =>
    moneyText(String(amount), currency, { notation: 'compact', minimumFractionDigits: 0 })
  return (
    <figure className="chart">
      <div className="chart-scale" aria-hidden="true">
        {lines.map((line) => (
          <span key={line}>{short(line)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Bars of the days from ${dayText(first.date)} to ${dayText(last.date)}. The most was taken on ${dayText(best.date)}: ${moneyText(best.amount, currency)}.`}
      >
        {lines.map((line) => (
          <path key={line} className="chart-line" d={`M0 ${height - (height * line) / top}H${width}`} />
        ))}
        {days.map(({ date, amount, payments }, index) => {
          const tall = Math.max(Number(amount) > 0 ? 2 : 0, (height * Number(amount)) / top)
          return (
            <g key={date} className="chart-day">
              <title>{`${wholeDayText(date)}: ${moneyText(amount, currency)}, ${paymentsText(payments)}`}</title>
              <rect className="chart-slot" x={index * slot} y={0} width={slot} height={height} />
              <rect
                className="chart-bar"
                x={index * slot + gap / 2}
                y={height - tall}
                width={slot - gap}
                height={tall}
              />
            </g>
          )
        })}
      </svg>
      <div className="chart-days" aria-hidden="true">
        <span>{dayText(first.date)}</span>
        <span>{dayText(days[Math.floor(days.length / 2)]?.date ?? last.date)}</span>
        <span>{dayText(last.date)}</span>
      </div>
    </figure>
  )
}
