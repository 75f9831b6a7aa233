import { DataTable } from '../../ui/DataTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { wholeDayText } from './dayText.ts'
import { tokensText } from './texts.ts'
import type { Day } from './types.ts'

/** The numbers of the chart, the newest day first; days without a payment are left out. */
export function DayTable({ days, currency }: { days: readonly Day[]; currency: string }) {
  return (
    <DataTable
      caption="Taken by day"
      rows={days.filter(({ payments }) => payments > 0).reverse()}
      keyOf={({ date }) => date}
      columns={[
        { head: 'Day', cell: ({ date }) => <span className="strong">{wholeDayText(date)}</span> },
        { head: 'Taken', cell: ({ amount }) => <Money amount={amount} currency={currency} /> },
        { head: 'Payments', cell: ({ payments }) => payments.toLocaleString() },
        {
          head: 'Tokens',
          cell: (day) => (
            <ul className="lines">
              {tokensText(day).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  )
}
