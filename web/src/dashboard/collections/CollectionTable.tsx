import { Link } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Time } from '../../ui/Time.tsx'
import { readable } from '../books/readable.ts'
import { useBusiness } from '../business/business.ts'
import { chainLabel } from '../labels.ts'
import { countryName } from '../payouts/payoutLabels.ts'
import { reasonLabels } from '../payouts/reasonLabels.ts'
import { collectionStatusLabels, settlementLabels } from './collectionLabels.ts'
import { collectionPath } from './paths.ts'
import type { CollectionItem } from './types.ts'

export function CollectionTable({ collections }: { collections: CollectionItem[] }) {
  const { business } = useBusiness()
  return (
    <DataTable
      caption="Collections"
      rows={collections}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Collection',
          cell: ({ id, amount, currency, country, reference }) => (
            <>
              <Link className="strong amount" href={collectionPath(business.id, id)}>
                {`${readable(amount).text} ${currency}`}
              </Link>
              <span className="fine">
                {[countryName(country), reference].filter((each) => each !== null).join(', ')}
              </span>
            </>
          ),
        },
        {
          head: 'Paid to',
          cell: ({ bankName, bankAccountNumber }) =>
            bankName === null && bankAccountNumber === null ? (
              'Not named'
            ) : (
              <>
                {bankAccountNumber !== null && <code>{bankAccountNumber}</code>}
                {bankName !== null && <span className="fine">{bankName}</span>}
              </>
            ),
        },
        {
          head: 'Settled',
          cell: ({ cryptoAmount, cryptoCurrency, cryptoNetwork, settlement }) => (
            <>
              <span className="amount">
                {cryptoAmount === null ? cryptoCurrency : `${readable(cryptoAmount).text} ${cryptoCurrency}`}
              </span>
              <span className="fine">{`${chainLabel(cryptoNetwork)}: ${settlementLabels[settlement].label.toLowerCase()}`}</span>
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ status, reason }) => (
            <>
              <Badge tone={collectionStatusLabels[status].tone}>{collectionStatusLabels[status].label}</Badge>
              {reason && <span className="fine">{reasonLabels(reason)}</span>}
            </>
          ),
        },
        { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  )
}
