import { DataTable } from '../../ui/DataTable.tsx'
import { Amount } from './Amount.tsx'
import { accountLabels, assetLabels, kindLabels } from './bookLabels.ts'
import type { Statement } from './types.ts'

export function StatementTable({ accounts }: Pick<Statement, 'accounts'>) {
  return (
    <DataTable
      caption="Statement"
      rows={accounts}
      keyOf={({ account, asset }) => `${account} ${asset}`}
      columns={[
        {
          head: 'Account',
          cell: ({ account, asset }) => (
            <>
              <span className="strong">{accountLabels[account]}</span>
              <span className="fine">{assetLabels(asset)}</span>
            </>
          ),
        },
        { head: 'Opening', cell: ({ opening }) => <Amount of={opening} /> },
        {
          head: 'Changes',
          cell: ({ movements }) =>
            movements.length === 0 ? (
              'None'
            ) : (
              <ul className="lines">
                {movements.map(({ kind, entries, amount }) => (
                  <li key={kind}>
                    {kindLabels(kind)} ({entries}): <Amount of={amount} />
                  </li>
                ))}
              </ul>
            ),
        },
        { head: 'Closing', cell: ({ closing, symbol }) => <Amount of={closing} unit={symbol} /> },
      ]}
    />
  )
}
