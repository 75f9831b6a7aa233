import { DataTable } from '../../ui/DataTable.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Loadable } from '../../ui/useLoaded.ts'
import { balanceRows } from './balances.ts'
import type { WalletBalance } from './types.ts'

/** What the address holds by the network itself, just now. */
export function BalanceSection({ of }: { of: Loadable<WalletBalance> }) {
  return (
    <Section title="Balance">
      <Loaded of={of}>
        {(balance) => (
          <>
            <DataTable
              caption="Balance"
              rows={balanceRows(balance)}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'Coin or token',
                  cell: ({ symbol, address }) => (
                    <>
                      <span className="strong">{symbol}</span>
                      {address && (
                        <span className="fine">
                          <code>{address}</code>
                        </span>
                      )}
                    </>
                  ),
                },
                {
                  head: 'Amount',
                  cell: ({ amount, problem, sendable }) => (
                    <>
                      <span className="amount">{amount ?? problem}</span>
                      {sendable && <span className="fine">{sendable} can be sent at once</span>}
                    </>
                  ),
                },
              ]}
            />
            <div className="button-row">
              <p className="fine">
                Read from the network <Time at={balance.lastUpdated} />
              </p>
              <button type="button" className="button" onClick={of.reload}>
                Refresh
              </button>
            </div>
          </>
        )}
      </Loaded>
    </Section>
  )
}
