import type { Outcome } from '../chains/sending.ts'
import type { IntentStatus, Signer } from './intents.ts'
import type { NonceUser } from './nonceUser.ts'

/** The stored state of an intent when the chain was asked about its attempts. */
export interface Known {
  status: IntentStatus
  signer: Signer
  /** The reason if it failed outside a block: refused at its first send, or not signed again. Null otherwise. */
  failedBy: string | null
  /** Times that the treasury signed it again. */
  resigns: number
  /** An attempt, given up or not, has not reached its own expiry. */
  hasTime: boolean
  ageMs: number
  /** Set if another transaction used its nonce. */
  usedBy: NonceUser | null
  /** How long nodes have reported without interruption that it is unminable; 0 for the first report. */
  unminableForMs: number
  /** How long they must. */
  unminableAfterMs: number
}

/** `send`: the bytes may be sent again. `resign`: it is safe to sign it again, because every attempt is unminable. */
export interface NextState {
  status: IntentStatus
  reason: string | null
  act: 'wait' | 'send' | 'resign'
  /** Nothing can change any more. */
  settled: boolean
}

/** Once: an intent that expires twice has another problem. */
const maxResigns = 1
/**
 * How long the chain is asked about a refused attempt, which a node may have forwarded all the same; and about one whose nonce was used, if nodes
 * have pruned the state that says whether that is final.
 */
const patienceMs = 24 * 3_600_000

/**
 * The state machine of signed intents. It is level-triggered: it depends on the present outcome, not on its change. So a reorg leads back to
 * `broadcast`, and a replaced attempt to the one that was mined.
 */
export function nextState(known: Known, reported: Outcome): NextState {
  const outcome = believed(known, reported)
  if (outcome.status === 'included') {
    if (outcome.standing === 'seen') return { status: 'broadcast', reason: null, act: 'wait', settled: false }
    return {
      status: outcome.succeeded ? 'confirmed' : 'failed',
      reason: outcome.succeeded ? null : 'reverted',
      act: 'wait',
      settled: outcome.standing === 'final',
    }
  }
  const isFinal = outcome.status === 'unminable' && outcome.standing === 'final'
  if (known.failedBy !== null) {
    const isOld = known.failedBy === 'refused' && known.ageMs > patienceMs
    return { status: 'failed', reason: known.failedBy, act: 'wait', settled: isFinal || isOld }
  }
  if (outcome.status === 'absent') return { status: waiting(known.status), reason: null, act: 'send', settled: false }
  // Only once it is final: a reorg could bring the old attempt back next to the new one.
  if (mayBeResigned(known, outcome) && !(outcome.standing === 'confirmed' && known.ageMs > patienceMs)) {
    return isFinal && !known.hasTime && known.usedBy !== 'perhaps ours'
      ? { status: 'created', reason: null, act: 'resign', settled: false }
      : { status: waiting(known.status), reason: null, act: 'wait', settled: false }
  }
  if (outcome.standing === 'seen') return { status: waiting(known.status), reason: null, act: 'wait', settled: false }
  return { status: 'expired', reason: outcome.reason, act: 'wait', settled: isFinal || known.ageMs > patienceMs }
}

/** An unknown transaction with the nonce may be the same payment at a higher fee: signing again would pay twice. */
const mayBeResigned = ({ signer, resigns, usedBy }: Known, { reason }: Extract<Outcome, { status: 'unminable' }>): boolean =>
  signer === 'wallet' && resigns < maxResigns && (reason === 'expired' || (usedBy !== null && usedBy !== 'unknown'))

/**
 * One URL may stand for several nodes: the node that reports the nonce or the height may be ahead of the one that is asked for the transaction.
 * Until the report has lasted, treat it as if one block had said it.
 */
const believed = (known: Known, outcome: Outcome): Outcome =>
  outcome.status === 'unminable' && known.unminableForMs < known.unminableAfterMs ? { ...outcome, standing: 'seen' } : outcome

/** No longer mined or unminable: back to pending. */
const waiting = (status: IntentStatus): IntentStatus => (status === 'signed' || status === 'unknown' ? status : 'broadcast')
