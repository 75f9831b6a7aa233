import { Link } from 'wouter'
import { useLoaded } from '../../../ui/useLoaded.ts'
import { useBusiness } from '../../business/business.ts'
import { useApi } from '../../session/session.ts'
import { describeDestination } from '../payoutLabels.ts'
import { type Batch, inPayouts, takenTexts } from './batchLabels.ts'
import { Lines } from './Lines.tsx'
import { batchPath } from './paths.ts'

/** As many as an owner sees before the decision; the page of the batch has all. */
const first = 3

/** A batch for its decision: its total, how many go where, and its first payouts. */
export function BatchInShort({ batch: { id, counts, destinations, totals } }: { batch: Batch }) {
  const payouts = counts.awaiting_approval
  const api = useApi()
  const { business } = useBusiness()
  const { now } = useLoaded(`${business.id} ${id}`, (signal) =>
    api.call('listPayoutsOfBusiness', {
      path: { businessId: business.id },
      query: { batchId: id, limit: first, sort: 'ASC' },
      signal,
    }),
  )
  const rows = now.state === 'ready' ? now.value.payouts : []
  return (
    <>
      <Link className="strong" href={batchPath(business.id, id)}>
        {`Batch of ${inPayouts(payouts)}`}
      </Link>{' '}
      <span className="fine">{`${takenTexts(totals).join(', ')}; to ${destinations} destinations`}</span>{' '}
      <Lines
        of={rows.map(
          ({ amount, source, destination, reference }, at) =>
            `${at + 1}. ${amount} ${source.token} to ${destination.name ?? ''} ${describeDestination(destination)}${reference === null ? '' : ` (${reference})`}`,
        )}
      />
      {payouts > first && <span className="fine">and {payouts - first} more</span>}
    </>
  )
}
