import type { Outcome } from '../chains/sending.ts'
import type { OutgoingStatus, Signer } from './outgoing.ts'
import type { SequenceUser } from './sequenceUser.ts'

/** What is known of an intent when the chain was asked about its transactions. */
export interface Known {
  status: OutgoingStatus
  signer: Signer
  /** Why it has failed without a block: the network refused it at its first send, or it was not signed again. Null where it has not. */
  failedBy: string | null
  /** Times that the treasury has signed it anew because a transaction could never come any more. */
  renewals: number
  /** A transaction of it, given up or not, has time left by its own word. */
  hasTime: boolean
  ageMs: number
  /** Where its sequence was used by another transaction; null where that was not asked. */
  usedBy: SequenceUser | null
  /** For how long the chain has said, without another word, that nothing of it can come; 0 where it says so for the first time. */
  goneForMs: number
  /** For how long that must be said until it is believed. */
  goneAfterMs: number
}

/**
 * What an intent is, given what the chain says; what to do is the caller's.
 * `send`: the bytes may be sent again. `renew`: it is safe to sign it anew, since nothing that was signed can come into a block.
 */
export interface Verdict {
  status: OutgoingStatus
  reason: string | null
  act: 'none' | 'send' | 'renew'
  /** Nothing about it can change any more. */
  settled: boolean
}

/** An intent is signed anew once: what fails twice for want of time has another cause. */
const maxRenewals = 1
/**
 * How long a refused transaction is looked for, since a node that refuses it and hands it on all the same would do so soon; and one whose
 * sequence was used, where nodes have dropped the state that would say whether that is final.
 */
const patienceMs = 24 * 3_600_000

/**
 * The state machine of what was signed. It is level-triggered: it looks at what is, not at what changed, so that a block that a fork
 * takes away leads back to `broadcast`, and a replaced transaction to the one that was mined.
 */
export function judge(known: Known, told: Outcome): Verdict {
  const outcome = believed(known, told)
  if (outcome.status === 'included') {
    if (outcome.standing === 'seen') return { status: 'broadcast', reason: null, act: 'none', settled: false }
    return {
      status: outcome.succeeded ? 'confirmed' : 'failed',
      reason: outcome.succeeded ? null : 'reverted',
      act: 'none',
      settled: outcome.standing === 'final',
    }
  }
  const isFinal = outcome.status === 'gone' && outcome.standing === 'final'
  if (known.failedBy !== null) {
    const isOld = known.failedBy === 'refused' && known.ageMs > patienceMs
    return { status: 'failed', reason: known.failedBy, act: 'none', settled: isFinal || isOld }
  }
  if (outcome.status === 'absent') return { status: waiting(known.status), reason: null, act: 'send', settled: false }
  // Not before it is final: a fork could bring the old one back, beside the new one.
  if (mayBeRenewed(known, outcome) && !(outcome.standing === 'confirmed' && known.ageMs > patienceMs)) {
    return isFinal && !known.hasTime && known.usedBy !== 'perhaps ours'
      ? { status: 'created', reason: null, act: 'renew', settled: false }
      : { status: waiting(known.status), reason: null, act: 'none', settled: false }
  }
  if (outcome.standing === 'seen') return { status: waiting(known.status), reason: null, act: 'none', settled: false }
  return { status: 'expired', reason: outcome.reason, act: 'none', settled: isFinal || known.ageMs > patienceMs }
}

/** What used the sequence may be the same payment at a higher fee: then a second one would pay twice. One of ours, or one that was there before, is another one. */
const mayBeRenewed = ({ signer, renewals, usedBy }: Known, { reason }: Extract<Outcome, { status: 'gone' }>): boolean =>
  signer === 'wallet' && renewals < maxRenewals && (reason === 'expired' || (usedBy !== null && usedBy !== 'stranger'))

/**
 * One name may stand for several nodes: the one that tells of the sequence or the height need not be the one that is asked for the
 * transaction, and that one may be behind. So what has been said for but a moment is as good as said by one block alone.
 */
const believed = (known: Known, outcome: Outcome): Outcome =>
  outcome.status === 'gone' && known.goneForMs < known.goneAfterMs ? { ...outcome, standing: 'seen' } : outcome

/** What was in a block, or beyond hope, and is neither any more, waits again. */
const waiting = (status: OutgoingStatus): OutgoingStatus => (status === 'signed' || status === 'unknown' ? status : 'broadcast')
