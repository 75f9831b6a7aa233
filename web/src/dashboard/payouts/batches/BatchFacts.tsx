import { Badge } from '../../../ui/Badge.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Time } from '../../../ui/Time.tsx'
import {
  type Batch,
  batchStatusLabels,
  countTexts,
  feeTexts,
  receivedTexts,
  takenTexts,
} from './batchLabels.ts'
import { Lines } from './Lines.tsx'

/** A batch in short: what it takes, what arrives, and how far it is. */
export function BatchFacts({ batch }: { batch: Batch }) {
  const { status, totals, counts, destinations, createdBy, createdAt, reference } = batch
  const { tone, label } = batchStatusLabels[status]
  return (
    <Facts
      facts={[
        [
          'State',
          <Badge key="state" tone={tone}>
            {label}
          </Badge>,
        ],
        ['Payouts', <Lines key="counts" of={countTexts(counts)} />],
        ['Taken', <Lines key="taken" of={takenTexts(totals)} />],
        ['Arrives', <Lines key="received" of={receivedTexts(totals)} />],
        ['Fees', <Lines key="fees" of={feeTexts(totals)} />],
        ['Destinations', destinations],
        ...(reference === null ? [] : [['Reference', reference] satisfies [string, string]]),
        [
          'Created',
          <span key="created">
            {createdBy} <Time at={createdAt} />
          </span>,
        ],
      ]}
    />
  )
}
