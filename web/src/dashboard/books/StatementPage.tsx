import { useSearchParams } from 'wouter'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { accountLabels, assetLabels, kindLabels } from './bookLabels.ts'
import { MonthField } from './MonthField.tsx'
import { monthOf, periodOf } from './period.ts'
import type { Statement } from './types.ts'

/** Opening, sums by kind and closing of one month. */
export function StatementPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search, setSearch] = useSearchParams()
  const now = monthOf(new Date())
  const given = search.get('month') ?? now
  const month = periodOf(given) ? given : now
  const period = periodOf(month) ?? { from: '', to: '' }
  const statement = useLoaded(`${business.id} ${month}`, (signal) =>
    api.call('getLedgerStatementOfBusiness', { path: { businessId: business.id }, query: period, signal }),
  )
  return (
    <Page
      title="Statement"
      tab={`Statement · ${business.name}`}
      lead="What each balance was before a month, what changed it, and what it was after."
    >
      <MonthField
        value={month}
        max={now}
        onChoose={(value) => setSearch({ month: value }, { replace: true })}
      />
      <Loaded of={statement}>
        {({ accounts, to, finalUntil }) => (
          <>
            <p className="fine">
              {finalUntil >= to
                ? 'This month is final.'
                : 'This month is not final yet: entries can still be added.'}
            </p>
            {accounts.length === 0 ? (
              <Empty title="Nothing was in the books in this month." />
            ) : (
              <StatementTable accounts={accounts} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function StatementTable({ accounts }: Pick<Statement, 'accounts'>) {
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
        { head: 'Opening', cell: ({ opening }) => <span className="amount">{opening}</span> },
        {
          head: 'Changes',
          cell: ({ movements }) =>
            movements.length === 0 ? (
              'None'
            ) : (
              <ul className="lines">
                {movements.map(({ kind, entries, amount }) => (
                  <li key={kind}>
                    {kindLabels(kind)} ({entries}): {amount}
                  </li>
                ))}
              </ul>
            ),
        },
        {
          head: 'Closing',
          cell: ({ closing, symbol }) => (
            <span className="amount">
              {closing} {symbol}
            </span>
          ),
        },
      ]}
    />
  )
}
