import { stoppedReason } from '../txmgr/causeStop.ts'
import type { Intent } from '../txmgr/intents.ts'
import { isDailyLimit } from './dailyLimit.ts'
import type { Outflow, OutflowStatus } from './outflow.ts'

/** What is known of an outflow's intent now. */
export interface IntentFacts extends Pick<Intent, 'status' | 'settled' | 'reason' | 'message'> {
  /** The treasury has signed a transaction of it, sent or not. */
  wasSigned: boolean
  /** How long it has been in its state. */
  forMs: number
}

export interface NextOutflow {
  status: OutflowStatus
  reason: string | null
  /** Nothing of it can change any more. */
  isOver: boolean
}

/** A node that does not answer is no doubt yet. */
const doubtMs = 60_000

/** The treasury had too little, or the network's fee was too high: the same can leave later. */
const shortages: Readonly<Record<string, string>> = {
  insufficient_balance: 'float_low',
  sender_not_found: 'float_low',
  insufficient_native_balance: 'treasury_gas_low',
  fee_too_high: 'fee_too_high',
}

/**
 * The state of an outflow whose intent is stored. Level-triggered: it depends on what is true now, so that a
 * fork leads back. Until the intent is settled its transaction may be mined, so nothing is given back before.
 */
export function nextOutflow({ status }: Pick<Outflow, 'status'>, intent: IntentFacts): NextOutflow {
  const { settled } = intent
  const stays = (of = status): NextOutflow => ({ status: of, reason: null, isOver: false })
  if (intent.status === 'confirmed') return { status: 'completed', reason: null, isOver: settled }
  const isEnd = settled && (intent.status === 'failed' || intent.status === 'expired')
  if (status === 'completed')
    return isEnd ? { status: 'failed', reason: 'taken_back', isOver: true } : stays()
  if (intent.status === 'failed') return settled ? afterFailure(status, intent) : stays()
  const isDoubtful = intent.status === 'expired' || (intent.status === 'unknown' && intent.forMs >= doubtMs)
  // Settled, it is still no proof: after a day nodes may have forgotten, and what used the nonce may be this
  // payment. A person has to decide.
  if (isDoubtful) return { status: 'unknown', reason: intent.reason ?? 'no_answer', isOver: false }
  return stays(intent.status === 'unknown' ? status : 'processing')
}

/**
 * What was signed and refused by every node is not tried again: only the treasury's proof, that it signed
 * nothing, is enough for that.
 */
function afterFailure(status: OutflowStatus, { reason, message, wasSigned }: IntentFacts): NextOutflow {
  const code = reason === stoppedReason ? message : reason
  const waitsFor = waitsForAfter({ reason, message })
  if (status === 'processing' && waitsFor !== null && !wasSigned)
    return { status: 'pending', reason: waitsFor, isOver: false }
  return {
    status: 'failed',
    reason: code === 'policy' ? 'refused_by_treasury' : (code ?? 'failed'),
    isOver: true,
  }
}

/** The same may leave later, or its gate decides that it never will. */
function waitsForAfter({ reason, message }: Pick<IntentFacts, 'reason' | 'message'>): string | null {
  if (reason === stoppedReason) return message
  return reason === 'policy' && isDailyLimit(message) ? 'daily_limit' : (shortages[reason ?? ''] ?? null)
}
