import type { OutflowStatus } from '../outflow.ts'

/**
 * The meaning of the partner's terms (https://docs.yellowcard.engineering/docs/events-api): still under way,
 * paid, or not paid.
 */
const meanings: Readonly<Record<string, 'open' | 'paid' | 'unpaid'>> = {
  CREATED: 'open',
  PENDING_APPROVAL: 'open',
  PROCESS: 'open',
  PROCESSING: 'open',
  PENDING_LIQUIDITY: 'open',
  PENDING: 'open',
  COMPLETE: 'paid',
  FAILED: 'unpaid',
  EXPIRED: 'unpaid',
  // Only the answer to a denial has it (reference/deny-payment-request).
  DENIED: 'unpaid',
}

/** Undefined: an unknown term. */
export const meaningOf = (partnerStatus: string): 'open' | 'paid' | 'unpaid' | undefined =>
  meanings[partnerStatus.toUpperCase()]

export interface NextOfPartner {
  /** The same state: it stays. */
  status: OutflowStatus
  /** The partner's report is impossible, or unknown. */
  alarm: 'contradiction' | 'unknown_status' | null
}

/** The state of an outflow after a report of the partner. Terms come in upper and lower case. */
export function nextOfPartner(status: OutflowStatus, partnerStatus: string): NextOfPartner {
  const meaning = meaningOf(partnerStatus)
  const stays = (alarm: NextOfPartner['alarm']): NextOfPartner => ({ status, alarm })
  if (meaning === undefined) return stays('unknown_status')
  switch (status) {
    case 'processing':
    case 'unknown':
      return {
        status: { open: 'processing', paid: 'completed', unpaid: 'failed' }[meaning] as OutflowStatus,
        alarm: null,
      }
    case 'completed':
      // An older copy may still be open. The bank may return a payment that was paid.
      return meaning === 'unpaid' ? { status: 'returned', alarm: null } : stays(null)
    case 'returned':
    case 'failed':
    case 'cancelled':
      return stays(meaning === 'unpaid' ? null : 'contradiction')
    default:
      // Nothing was submitted, so the partner cannot have it.
      return stays('contradiction')
  }
}
