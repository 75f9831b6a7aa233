import { Link } from 'wouter'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { businessPath } from '../shell/navigation.ts'
import { assetLabels, otherBalances } from './bookLabels.ts'
import type { Balance } from './types.ts'

/** What the business is owed, by asset. */
export function BalancesPage() {
  const api = useApi()
  const { business } = useBusiness()
  const balances = useLoaded(business.id, (signal) =>
    api.call('listBalancesOfBusiness', { path: { businessId: business.id }, signal }),
  )
  return (
    <Page
      title="Balances"
      tab={`Balances · ${business.name}`}
      lead="Your balances in the books. Pending money belongs to payments that have not ended. Transfers from your own wallets are not in the books."
    >
      <Loaded of={balances}>
        {({ at, balances: rows }) =>
          rows.length === 0 ? (
            <Empty title="There is no money yet.">
              <p>The first confirmed payment appears here.</p>
            </Empty>
          ) : (
            <>
              <BalanceTable balances={rows} />
              <p className="fine">
                As of <Time at={at} />
              </p>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function BalanceTable({ balances }: { balances: Balance[] }) {
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
        {
          head: 'Available',
          cell: ({ available, symbol }) => <span className="amount">{`${available} ${symbol}`}</span>,
        },
        {
          head: 'Pending',
          cell: ({ pending, symbol }) => <span className="amount">{`${pending} ${symbol}`}</span>,
        },
        {
          head: 'Other',
          cell: (balance) => {
            const others = otherBalances(balance)
            return others.length === 0
              ? 'None'
              : others.map(([name, amount]) => (
                  <Other key={name} text={`${name}: ${amount} ${balance.symbol}`} />
                ))
          },
        },
      ]}
    />
  )
}

const Other = ({ text }: { text: string }) => <span className="fine amount">{text}</span>
