import type { TransactionEventType } from './transactionEvent.ts'

/** What a movement is now; `generation` counts how often a fork brought it back. */
export interface MovementState {
  status: 'seen' | 'confirmed' | 'reverted'
  generation: number
}

/** What was told of it last. */
export interface ReportedHeights {
  told: 'detected' | 'confirmed' | 'reverted'
  generation: number
}

/**
 * What is to be told of a movement, in order, so that what was told becomes true. It does not matter how often, or in which order, one
 * asks: each movement's events are `detected confirmed? reverted`, over and over.
 */
export function movementNews(now: MovementState, last: ReportedHeights | null): TransactionEventType[] {
  const isReported = last !== null && last.told !== 'reverted'
  const isSame = last?.generation === now.generation
  const isAlive = now.status !== 'reverted'
  const news: TransactionEventType[] = []
  if (isReported && !(isSame && isAlive)) news.push('transaction.reverted')
  if (isAlive && !(isReported && isSame)) news.push('transaction.detected')
  if (now.status === 'confirmed' && !(last?.told === 'confirmed' && isSame)) news.push('transaction.confirmed')
  return news
}

/** What was told once a movement's news are out. */
export const toldOf = ({ status, generation }: MovementState): ReportedHeights => ({ told: status === 'seen' ? 'detected' : status, generation })
