import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Time } from '../../ui/Time.tsx'
import { countryName } from '../payouts/payoutLabels.ts'
import { reasonLabels } from '../payouts/reasonLabels.ts'
import { collectionStatusLabels } from './collectionLabels.ts'
import { type Fact, ifAny } from './facts.ts'
import type { Collection } from './types.ts'

export function CollectionFacts({ collection }: { collection: Collection }) {
  const {
    id,
    status,
    reason,
    amount,
    currency,
    country,
    convertedAmount,
    partnerPaymentId,
    partnerPaymentStatus,
  } = collection
  const { label, tone } = collectionStatusLabels[status]
  const facts: Fact[] = [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    ...ifAny('Reason', reason && reasonLabels(reason)),
    ['Amount', `${amount} ${currency}`],
    ['Country', countryName(country)],
    ...ifAny('Amount, as the partner has it', convertedAmount && `${convertedAmount} ${currency}`),
    ...ifAny('Reference', collection.reference),
    ...ifAny('Partner’s payment', partnerPaymentId && <code>{partnerPaymentId}</code>),
    ...ifAny('Partner’s state', partnerPaymentStatus && <code>{partnerPaymentStatus}</code>),
    ['Created', <Time key="created" at={collection.createdAt} />],
    ['Changed', <Time key="changed" at={collection.updatedAt} />],
    ['Id', <code key="id">{id}</code>],
  ]
  return <Facts facts={facts} />
}
