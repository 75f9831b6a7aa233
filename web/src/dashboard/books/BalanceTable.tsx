import { Link } from 'wouter'
import { DataTable } from '../../ui/DataTable.tsx'
import { useBusiness } from '../business/business.ts'
import { businessPath } from '../shell/navigation.ts'
import { Amount } from './Amount.tsx'
import { assetLabels, otherBalances } from './bookLabels.ts'
import type { Balance } from './types.ts'

export function BalanceTable({ balances }: { balances: Balance[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Balances"
      rows={balances}
      keyOf={({ asset }) => asset}
      columns={[
        {
          head: 'Asset',
          cell: ({ asset }) => (
            <Link
              className="strong"
              href={`${businessPath(business.id)}/entries?${new URLSearchParams({ asset })}`}
            >
              {assetLabels(asset)}
            </Link>
          ),
        },
        { head: 'Available', cell: ({ available, symbol }) => <Amount of={available} unit={symbol} /> },
        { head: 'Pending', cell: ({ pending, symbol }) => <Amount of={pending} unit={symbol} /> },
        {
          head: 'Other',
          cell: (balance) => {
            const others = otherBalances(balance)
            return others.length === 0
              ? 'None'
              : others.map(([name, amount]) => (
                  <span key={name} className="fine">
                    {name}: <Amount of={amount} unit={balance.symbol} />
                  </span>
                ))
          },
        },
      ]}
    />
  )
}
