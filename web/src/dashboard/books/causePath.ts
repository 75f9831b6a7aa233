import { payoutPath } from '../payouts/paths.ts'
import { sessionPath } from '../posSessions/paths.ts'
import { stakePath } from '../staking/paths.ts'
import type { LedgerEntry } from './types.ts'

type Caused = Pick<LedgerEntry, 'cause' | 'reference' | 'sessionId'>

/** The page of what an entry was posted for; null where there is none. */
export function causePath(
  businessId: string,
  { cause, reference, sessionId }: Caused,
): { label: string; path: string } | null {
  if (cause === 'payout') return { label: 'Payout', path: payoutPath(businessId, reference) }
  if (cause === 'stake') return { label: 'Stake', path: stakePath(businessId, reference) }
  if (sessionId === null) return null
  return {
    label: cause === 'refund' ? 'Payment of the refund' : 'Payment',
    path: sessionPath(businessId, sessionId),
  }
}
