import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { walletPath } from './paths.ts'
import type { Wallet } from './types.ts'

export function WalletTable({ wallets }: { wallets: Wallet[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Wallets"
      rows={wallets}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Wallet',
          cell: (wallet) => (
            <>
              <Link className="strong" href={walletPath(business.id, wallet.id)}>
                {walletName(wallet)}
              </Link>
              {wallet.archivedAt && (
                <span className="fine">
                  <Badge tone="plain">Archived</Badge>
                </span>
              )}
            </>
          ),
        },
        { head: 'Network', cell: ({ chain }) => chainLabel(chain), whole: true },
        { head: 'Address', cell: ({ address }) => <code>{address}</code> },
        { head: 'Stored', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}

/** What a wallet is called: its label, or its network where it has none. */
export const walletName = ({ name, chain }: Pick<Wallet, 'name' | 'chain'>): string =>
  name ?? `${chainLabel(chain)} wallet`
