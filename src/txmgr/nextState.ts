import type { Broadcast, Outcome } from '../chains/sending.ts'
import { type Intent, type IntentStatus, isOwnSigner } from './intents.ts'
import type { NonceUser } from './nonceUser.ts'

/** The stored state of an intent, as far as its next one depends on it. */
export type Known = Pick<
  Intent,
  | 'purpose'
  | 'status'
  | 'signer'
  | 'reason'
  | 'message'
  | 'txId'
  | 'blockHeight'
  | 'resigns'
  | 'unminableForMs'
  | 'isCancelled'
>

/** Signed bytes are stored. */
interface Signed {
  kind: 'signed'
  txId: string
}

/** The network answered a broadcast. */
interface Answered {
  kind: 'answered'
  /** The attempt's number and hash. */
  number: number
  txId: string
  /** Null if no node reports whether the network has the attempt. */
  answer: Broadcast | null
  /** Sent once, and never accepted. */
  isFirstSend: boolean
  /** Another attempt of the intent was sent or accepted. */
  othersSent: boolean
  /** Every send of every attempt, this one included, was refused: no node has any of them. */
  neverTaken: boolean
  /** It has waited for a lower fee for as long as it may. */
  feeWaitIsOver: boolean
}

/** The chain reported the outcome of all sent attempts. */
interface Reported {
  kind: 'reported'
  outcome: Outcome
  /** The attempt in a block is a no-op in place of the intent. */
  isNoop: boolean
  /** An attempt, given up or not, has not reached its own expiry. */
  hasTime: boolean
  /** Since it failed; before that, since it was requested. */
  ageMs: number
  /** Set if another transaction used its nonce. */
  usedBy: NonceUser | null
  /** How long nodes must report it as unminable without interruption. */
  unminableAfterMs: number
}

/** It was refused before it was signed (again): no funds, policy, approval, or given up by the operator. */
interface Failed {
  kind: 'failed'
  reason: string
  message: string
  /** Hashes of attempts that were sent before, and may still be mined. */
  sent: readonly string[]
}

/** Another intent has taken over its refused bytes, and reports their outcome from here on. */
interface TakenOverError {
  kind: 'taken over'
}

export type IntentEvent = Signed | Answered | Reported | Failed | TakenOverError

export interface NextState {
  status: IntentStatus
  reason: string | null
  message: string | null
  txId: string | null
  /**
   * `send`: the bytes may be sent again. `resign`: it is safe to sign it again, because every attempt is
   * unminable. `drop`: delete the attempt's bytes, which were refused at their first send. `drop all`: the
   * same for all attempts; no node has any, and the nonce is free.
   */
  act: 'wait' | 'send' | 'resign' | 'drop' | 'drop all'
  /** Nothing can change any more. */
  settled: boolean
}

/** Once: an intent that expires twice has another problem. */
const maxResigns = 1
/**
 * How long the chain is queried for a refused attempt, which a node may have forwarded all the same; and
 * for one whose nonce was used, if nodes have pruned the state that shows whether that is final.
 */
const patienceMs = 24 * 3_600_000

const usedElsewhere =
  'The sender used its nonce or sequence number for another transaction, which may be this payment at a higher fee: look at that one before sending again'

/** The reason of a cancelled intent that has not paid. Stable. */
export const cancelledReason = 'cancelled'
const cancelled = {
  status: 'failed',
  reason: cancelledReason,
  message: 'It was cancelled: nothing was paid',
} as const

/** The purpose of an intent is notified of these. */
export const isOutcome = (status: IntentStatus): boolean =>
  status === 'confirmed' || status === 'failed' || status === 'expired'

/** The state machine of intents, from signed to settled. `created` is stored with the request. */
export function nextState(known: Known, event: IntentEvent): NextState {
  const { status, reason, message, txId } = known
  const same: NextState = { status, reason, message, txId, act: 'wait', settled: false }
  switch (event.kind) {
    case 'signed':
      return afterSignature(known, same, event)
    case 'answered':
      return afterAnswer(known, same, event)
    case 'reported':
      return afterReport(known, event)
    case 'failed':
      return afterFailure(same, event)
    case 'taken over':
      return { ...same, settled: true }
  }
}

function afterSignature({ signer, status }: Known, same: NextState, { txId }: Signed): NextState {
  // A bump of the fee: the sent attempt is the one to report.
  if (isOwnSigner(signer) && status !== 'created') return { ...same, txId: same.txId ?? txId }
  return { ...same, status: 'signed', reason: null, message: null, txId }
}

/**
 * Depends on the stored state, not on the state before the broadcast: another process may have sent since.
 */
function afterAnswer({ status, signer, blockHeight }: Known, same: NextState, event: Answered): NextState {
  const { answer, txId, isFirstSend, othersSent, neverTaken } = event
  const isPending = status === 'signed' || status === 'unknown'
  // Refused for its price alone: the treasury can sign a higher fee at the same nonce, and the price may
  // fall. A caller's key is gone.
  const waitsForFee = answer?.status === 'underpriced' && isOwnSigner(signer)
  const isRefused = answer?.status === 'refused' || (answer?.status === 'underpriced' && !waitsForFee)
  // Other attempts may still be taken by themselves.
  const isExtra = isRefused && isFirstSend && othersSent
  if (isPending && neverTaken && !isExtra && (isRefused || (waitsForFee && event.feeWaitIsOver)))
    return {
      ...same,
      status: 'failed',
      reason: isRefused ? 'refused' : 'fee_too_high',
      message: answer?.message ?? same.message,
      act: 'drop all',
    }
  const next: NextState = { ...same, act: isRefused && isFirstSend ? 'drop' : 'wait' }
  // Keep the transaction that is in a block.
  if (answer?.status === 'accepted' && blockHeight === null) next.txId = txId
  // In a block meanwhile: its state stays.
  if (!isPending || answer?.status === 'busy' || waitsForFee) return next
  return { ...next, status: answer?.status === 'accepted' ? 'broadcast' : 'unknown' }
}

function afterFailure(same: NextState, { reason, message, sent }: Failed): NextState {
  const { txId } = same
  // Report a transaction only if it was sent.
  const known = txId !== null && sent.includes(txId) ? txId : null
  return {
    ...same,
    status: 'failed',
    reason,
    message: message.slice(0, 300),
    txId: known,
    settled: sent.length === 0,
  }
}

/**
 * Level-triggered: depends on the present outcome, not on its change. So a reorg leads back to `broadcast`,
 * and a replaced attempt to the one that was mined.
 */
function afterReport(known: Known, event: Reported): NextState {
  const outcome = believed(known, event)
  const next = { reason: null, message: null, txId: known.txId, act: 'wait', settled: false } as const
  if (outcome.status === 'included') return inBlock(outcome, event)
  const isFinal = outcome.status === 'unminable' && outcome.standing === 'final'
  const isOld = event.ageMs > patienceMs
  const isOver = isFinal || (isOld && outcome.status === 'unminable' && outcome.standing === 'confirmed')
  // Failed outside a block: refused by every node, cancelled, or not signed again.
  if (known.status === 'failed' && known.reason !== null && known.reason !== 'reverted' && !tookBack(known)) {
    const wasRefused = known.reason === 'refused' || (known.reason === 'fee_too_high' && known.resigns === 0)
    const settled = known.reason === cancelledReason ? isOver : isFinal || (wasRefused && isOld)
    return { ...next, status: 'failed', reason: known.reason, message: known.message, settled }
  }
  const pending = { ...next, status: pendingAgain(known.status) }
  if (outcome.status === 'absent') return { ...pending, act: 'send' }
  if (known.isCancelled && outcome.standing !== 'seen' && diedUnpaid(event, outcome))
    return { ...next, ...cancelled, settled: isOver }
  // Only once it is final: a reorg could bring the old attempt back next to the new one.
  if (mayBeResigned(known, event, outcome) && !(outcome.standing === 'confirmed' && isOld))
    return isFinal && !event.hasTime && event.usedBy !== 'perhaps ours'
      ? { ...next, status: 'created', act: 'resign' }
      : pending
  if (outcome.standing === 'seen') return pending
  const message = outcome.reason === 'sequence_used' ? usedElsewhere : null
  return { ...next, status: 'expired', reason: outcome.reason, message, settled: isFinal || isOld }
}

type Unminable = Extract<Outcome, { status: 'unminable' }>

/** No transaction that may be the same payment used its nonce. */
const diedUnpaid = ({ usedBy }: Reported, { reason }: Unminable): boolean =>
  reason === 'expired' || usedBy === 'ours' || usedBy === 'earlier'

/**
 * An unknown transaction with the nonce may be the same payment at a higher fee: signing again would pay
 * twice. A no-op has nothing to do at another nonce.
 */
const mayBeResigned = (
  { purpose, signer, resigns, isCancelled }: Known,
  { usedBy }: Reported,
  { reason }: Unminable,
): boolean =>
  purpose !== 'noop' &&
  !isCancelled &&
  isOwnSigner(signer) &&
  resigns < maxResigns &&
  (reason === 'expired' || (usedBy !== null && usedBy !== 'unknown'))

/**
 * One URL may stand for several nodes: the node that reports the nonce or the height may be ahead of the one
 * that is read for the transaction. Until the report has lasted, treat it as the report of one block.
 */
const believed = ({ unminableForMs }: Known, { outcome, unminableAfterMs }: Reported): Outcome =>
  outcome.status === 'unminable' && unminableForMs < unminableAfterMs
    ? { ...outcome, standing: 'seen' }
    : outcome

function inBlock(
  { txId, reason: message, standing, succeeded }: Extract<Outcome, { status: 'included' }>,
  { isNoop }: Reported,
): NextState {
  const next = { reason: null, message, txId, act: 'wait', settled: standing === 'final' } as const
  if (standing === 'seen') return { ...next, status: 'broadcast' }
  if (isNoop) return { ...next, ...cancelled }
  return succeeded ? { ...next, status: 'confirmed' } : { ...next, status: 'failed', reason: 'reverted' }
}

/** A reorg took the block with the no-op that cancelled it. */
const tookBack = ({ reason, blockHeight }: Known): boolean =>
  reason === cancelledReason && blockHeight !== null

/** No longer mined or unminable: back to pending. */
const pendingAgain = (status: IntentStatus): IntentStatus =>
  status === 'signed' || status === 'unknown' ? status : 'broadcast'
