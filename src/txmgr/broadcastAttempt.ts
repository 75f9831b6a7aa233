import { ProviderError } from '../chains/chain.ts'
import type { Broadcast, SignedTransaction } from '../chains/sending.ts'
import { messageOf } from '../platform/errors.ts'
import { type Failpoint, failpoint } from '../platform/failpoints.ts'
import { inSpan } from '../platform/telemetry/tracing.ts'
import { isRefusedAlways, readAttempts } from './attempts.ts'
import {
  graceMs,
  reconcileEvery,
  type SendingChain,
  type TxManagerContext,
  type TxManagerStep,
} from './context.ts'
import { feeWaitIsOver, reportFeeWait } from './fees/markFeeWait.ts'
import { type Intent, isOwnSigner, lockIntent } from './intents.ts'
import { transition } from './transition.ts'

/** An attempt to broadcast; the send is counted already. */
export interface Sending {
  number: number
  nonce: bigint | null
  signed: SignedTransaction
  /** Its first send. */
  isFirst: boolean
}

/**
 * Broadcasts signed bytes and stores the network's answer. The bytes and the count of this send are stored
 * already: after a crash from here on the intent is reconciled.
 * @returns null if no node reports whether the network has them
 */
export async function broadcastAttempt(
  ctx: TxManagerContext,
  { sender, chain }: Pick<SendingChain, 'sender' | 'chain'>,
  row: Intent,
  sending: Sending,
  [sent, recorded]: readonly [Failpoint, Failpoint],
): Promise<Broadcast | null> {
  const about = {
    'cowry.intent.id': row.id,
    'cowry.chain': row.chain,
    'cowry.transaction.id': sending.signed.txId,
  }
  const answer = await inSpan('broadcast transaction', { attributes: about }, async (span) => {
    const answered = await sender.broadcast(sending.signed).catch((error) => {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn(
        { intent: row.id, chain: row.chain, err: messageOf(error) },
        'no node reports whether the network has a transaction',
      )
      return null
    })
    span.set({ 'cowry.outcome': answered?.status ?? 'unknown' })
    return answered
  })
  failpoint(sent)
  await record(ctx, row, sending, answer, reconcileEvery(ctx, chain))
  failpoint(recorded)
  return answer
}

async function record(
  ctx: TxManagerContext,
  row: Intent,
  sending: Sending,
  answer: Broadcast | null,
  reconcileInMs: number,
): Promise<void> {
  const step = await ctx.db.tx(async (tx): Promise<TxManagerStep | null> => {
    const now = await lockIntent(tx, row.id)
    const isAccepted = answer?.status === 'accepted'
    // A busy node, like one that does not answer, proves nothing about the transaction.
    if (answer !== null && answer.status !== 'busy') {
      await tx.query(
        `update intent_attempts set nonce_taken = $3, accepted_at = case when $4 then coalesce(accepted_at, now()) else accepted_at end,
           was_taken = was_taken or (accepted_at is null and $5), refusals = refusals + $6
         where intent_id = $1 and number = $2`,
        [
          row.id,
          sending.number,
          answer.status === 'nonce_taken',
          isAccepted,
          sending.isFirst && (answer.status === 'nonce_taken' || answer.status === 'nonce_used'),
          answer.status === 'refused' || answer.status === 'underpriced' ? 1 : 0,
        ],
      )
    }
    const attempts = await readAttempts(tx, row.id)
    const own = attempts.find((each) => each.number === sending.number)
    // Given up, or overtaken by another process: leave its state alone.
    if (!now || now.settled || !own || own.isVoid || (!isAccepted && now.reconciles !== row.reconciles))
      return null
    const isFirstSend = own.sends === 1 && own.acceptedAt === null
    const othersSent = attempts.some((each) => each !== own && (each.acceptedAt !== null || each.sends > 0))
    const neverTaken = attempts.every((each) => each.sends === 0 || isRefusedAlways(each))
    const { number, signed } = sending
    const next = await transition(
      ctx,
      tx,
      now,
      {
        kind: 'answered',
        number,
        txId: signed.txId,
        answer,
        isFirstSend,
        othersSent,
        neverTaken,
        feeWaitIsOver: feeWaitIsOver(ctx, now),
      },
      mayBeResigned(now, answer) ? graceMs : reconcileInMs,
    )
    if (answer?.status === 'underpriced' && isOwnSigner(now.signer) && now.feeWaitForMs === null)
      reportFeeWait(ctx, now, answer.message ?? 'underpriced')
    if (next.act === 'drop all') return 'refused'
    return answer === null ? 'unknown' : 'sent'
  })
  if (step !== null) ctx.observe(step, row.chain)
}

/**
 * The request still has the caller's key: it checks whether the nonce is used for good before a worker takes
 * over.
 */
const mayBeResigned = (now: Intent, answer: Broadcast | null): boolean =>
  now.signer === 'caller' &&
  now.reconciles === 0 &&
  (answer?.status === 'nonce_used' || answer?.status === 'nonce_taken')
