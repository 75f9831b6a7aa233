import type { CollectionStatus } from './collection.ts'

/**
 * The meaning of the partner's terms (https://docs.yellowcard.engineering/docs/events-api):
 * - `asked`: it has the request, and has not accepted it yet
 * - `open`: accepted; it waits for the customer's money, or settles it
 * - `settling`: the money came, and its crypto is on the way
 * - `returning`: the money came, and goes back
 */
const meanings: Readonly<
  Record<
    string,
    'asked' | 'open' | 'settling' | 'returning' | 'completed' | 'expired' | 'failed' | 'refunded'
  >
> = {
  CREATED: 'asked',
  PENDING_APPROVAL: 'asked',
  PROCESS: 'open',
  PROCESSING: 'open',
  PENDING: 'open',
  COMPLETE: 'completed',
  EXPIRED: 'expired',
  FAILED: 'failed',
  // Only the answer to a denial has it; it is FAILED afterwards.
  DENIED: 'failed',
  CANCELLED: 'failed',
  PENDING_REFUND: 'returning',
  REFUND_PROCESSING: 'returning',
  REFUND_FAILED: 'returning',
  REFUNDED: 'refunded',
  // Of the crypto, once the money is there (docs/events-widget; docs/sandbox-testing-api has them for
  // collections, too).
  SETTLEMENT_PENDING: 'settling',
  SETTLEMENT_PROCESSING: 'settling',
  SETTLEMENT_COMPLETE: 'completed',
  SETTLEMENT_FAILED: 'returning',
}

export interface NextOfCollection {
  /** The same state: it stays. */
  status: CollectionStatus
  /** The report is impossible, unknown, or needs a person. */
  alarm: 'contradiction' | 'unknown_status' | 'refund_failed' | 'settlement_failed' | null
}

/** Terms that need a person. */
const alarms: Readonly<Record<string, 'refund_failed' | 'settlement_failed'>> = {
  REFUND_FAILED: 'refund_failed',
  SETTLEMENT_FAILED: 'settlement_failed',
}

/** The states that follow each. Late money completes or refunds a collection that has failed or expired. */
export const nextStatuses: Readonly<Record<CollectionStatus, readonly CollectionStatus[]>> = {
  pending: ['processing', 'completed', 'expired', 'failed', 'refunded'],
  processing: ['completed', 'expired', 'failed', 'refunded'],
  expired: ['completed', 'failed', 'refunded'],
  failed: ['completed', 'refunded'],
  completed: [],
  refunded: [],
}

/** The state of a collection after a report of the partner. Terms come in upper and lower case. */
export function nextOfCollection(status: CollectionStatus, partnerStatus: string): NextOfCollection {
  const word = partnerStatus.toUpperCase()
  const meaning = meanings[word]
  const stays = (alarm: NextOfCollection['alarm'] = null): NextOfCollection => ({ status, alarm })
  if (meaning === undefined) return stays('unknown_status')
  switch (status) {
    case 'completed':
      if (word === 'SETTLEMENT_FAILED') return stays('settlement_failed')
      return stays(meaning === 'completed' || meaning === 'settling' ? null : 'contradiction')
    case 'refunded':
      return stays(meaning === 'refunded' ? null : 'contradiction')
  }
  switch (meaning) {
    case 'asked':
    case 'open': {
      const isOver = status === 'expired' || status === 'failed'
      if (isOver) return stays('contradiction')
      return meaning === 'open' ? { status: 'processing', alarm: null } : stays()
    }
    case 'settling':
    case 'returning':
      return { status: status === 'pending' ? 'processing' : status, alarm: alarms[word] ?? null }
    case 'expired':
      return { status: status === 'failed' ? 'failed' : 'expired', alarm: null }
    default:
      return { status: meaning, alarm: null }
  }
}

/** The stable reason of a state that the partner reported; null: the state is reason enough. */
export function reasonOfStatus(partnerStatus: string): string | null {
  switch (partnerStatus.toUpperCase()) {
    case 'FAILED':
      return 'partner_failed'
    case 'DENIED':
      return 'partner_denied'
    case 'CANCELLED':
      return 'cancelled'
    case 'PENDING_REFUND':
    case 'REFUND_PROCESSING':
      return 'refunding'
    case 'REFUND_FAILED':
      return 'refund_failed'
    case 'SETTLEMENT_FAILED':
      return 'settlement_failed'
    default:
      return null
  }
}
