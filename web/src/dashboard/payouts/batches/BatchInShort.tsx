import { Link } from 'wouter'
import { Loaded } from '../../../ui/Loaded.tsx'
import { useLoaded } from '../../../ui/useLoaded.ts'
import { readable } from '../../books/readable.ts'
import { useBusiness } from '../../business/business.ts'
import { useApi } from '../../session/session.ts'
import { describeDestination } from '../payoutLabels.ts'
import type { Payout } from '../types.ts'
import { type Batch, inDestinations, inPayouts, takenTexts } from './batchLabels.ts'
import { Lines } from './Lines.tsx'
import { batchPath } from './paths.ts'

/** As many as an owner sees before the decision; the page of the batch has all. */
const first = 3

/** A batch for its decision: its total, how many go where, and its first payouts; while it waits, those that do. */
export function BatchInShort({ batch: { id, counts, destinations, totals, ...batch } }: { batch: Batch }) {
  const isOpen = counts.awaiting_approval > 0
  const payouts = isOpen ? counts.awaiting_approval : batch.payouts
  const api = useApi()
  const { business } = useBusiness()
  const loaded = useLoaded(`${business.id} ${id} ${isOpen}`, (signal) =>
    api.call('listPayoutsOfBusiness', {
      path: { businessId: business.id },
      query: { batchId: id, ...(isOpen && { status: ['awaiting_approval'] }), limit: first, sort: 'ASC' },
      signal,
    }),
  )
  return (
    <>
      <Link className="strong" href={batchPath(business.id, id)}>
        {`Batch of ${inPayouts(payouts)}`}
      </Link>{' '}
      <span className="fine">{`${takenTexts(totals).join(', ')}; to ${inDestinations(destinations)}`}</span>{' '}
      <Loaded of={loaded}>{(value) => <Lines of={value.payouts.map(payoutText)} />}</Loaded>
      {payouts > first && <span className="fine">and {payouts - first} more</span>}
    </>
  )
}

function payoutText({ amount, source, destination, reference }: Payout, at: number): string {
  const to = [destination.name, describeDestination(destination)].filter(Boolean).join(' ')
  const named = reference === null ? '' : ` (${reference})`
  return `${at + 1}. ${readable(amount).text} ${source.token} to ${to}${named}`
}
