import type { TransactionEventType } from './transactionEvent.ts'

/** State of a detection; `generation` counts how often a reorg brought it back. */
export interface DetectionState {
  status: 'seen' | 'confirmed' | 'reverted'
  generation: number
}

/** The last published state of a detection. */
export interface PublishedState {
  published: 'detected' | 'confirmed' | 'reverted'
  generation: number
}

/**
 * Events to publish for a detection, in order, so that the published state becomes the real one. Harmless in
 * any order and however often it is called: each detection's events repeat the pattern
 * `detected confirmed? reverted`.
 */
export function detectionEvents(now: DetectionState, last: PublishedState | null): TransactionEventType[] {
  const isPublished = last !== null && last.published !== 'reverted'
  const isSame = last?.generation === now.generation
  const isAlive = now.status !== 'reverted'
  const events: TransactionEventType[] = []
  if (isPublished && !(isSame && isAlive)) events.push('transaction.reverted')
  if (isAlive && !(isPublished && isSame)) events.push('transaction.detected')
  if (now.status === 'confirmed' && !(last?.published === 'confirmed' && isSame))
    events.push('transaction.confirmed')
  return events
}

/** The published state once these events are out. */
export const publishedStateOf = ({ status, generation }: DetectionState): PublishedState => ({
  published: status === 'seen' ? 'detected' : status,
  generation,
})
