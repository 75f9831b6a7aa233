import { ProviderError } from '../chains/chain.ts'
import type { Broadcast, SignedTransaction } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint, type SendingFailpoint } from '../platform/failpoints.ts'
import { graceMs, reconcileEvery, type SendingChain, type TxManagerContext, type TxManagerStep } from './context.ts'
import { type Attempt, type Intent, type IntentStatus, lockIntent, notifyChange, readAttempts } from './intents.ts'

/** An attempt to broadcast; the send is counted already. */
export interface Sending {
  number: number
  nonce: bigint | null
  signed: SignedTransaction
  /** Its first send. */
  isFirst: boolean
}

/**
 * Broadcasts signed bytes and stores the network's answer. The bytes and the count of this send are stored already: after a crash from here on
 * the intent is reconciled.
 * @returns null if no node can say whether the network has them
 */
export async function broadcastAttempt(
  ctx: TxManagerContext,
  { sender, chain }: Pick<SendingChain, 'sender' | 'chain'>,
  row: Intent,
  sending: Sending,
  [sent, recorded]: readonly [SendingFailpoint, SendingFailpoint],
): Promise<Broadcast | null> {
  const said = await sender.broadcast(sending.signed).catch((error) => {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ intent: row.id, chain: row.chain, err: messageOf(error) }, 'no node can say whether the network has a transaction')
    return null
  })
  failpoint(sent)
  await record(ctx, row, sending, said, reconcileEvery(ctx, chain))
  failpoint(recorded)
  return said
}

async function record(ctx: TxManagerContext, row: Intent, sending: Sending, said: Broadcast | null, reconcileInMs: number): Promise<void> {
  const step = await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    const transactions = await readAttempts(tx, row.id)
    const own = transactions.find((each) => each.number === sending.number)
    const isAccepted = said?.status === 'accepted'
    // A busy node, like one that does not answer, says nothing about the transaction.
    if (said !== null && said.status !== 'busy') {
      await tx.query(
        `update intent_attempts set nonce_taken = $3, accepted_at = case when $4 then coalesce(accepted_at, now()) else accepted_at end,
           was_taken = was_taken or (accepted_at is null and $5)
         where intent_id = $1 and number = $2`,
        [
          row.id,
          sending.number,
          said.status === 'nonce_taken',
          isAccepted,
          sending.isFirst && (said.status === 'nonce_taken' || said.status === 'nonce_used'),
        ],
      )
    }
    // Given up, or overtaken by another process: leave its state alone.
    if (!now || now.settled || !own || own.isVoid || (!isAccepted && now.reconciles !== row.reconciles)) return null
    return store(ctx, tx, now, changeAfter(now, own, transactions, said), { ...sending, said, reconcileInMs })
  })
  if (step !== null) ctx.observe(step, row.chain)
}

async function store(
  ctx: TxManagerContext,
  tx: Tx,
  now: Intent,
  { status, drops, fails }: Change,
  { number, signed, said, reconcileInMs }: Sending & { said: Broadcast | null; reconcileInMs: number },
): Promise<TxManagerStep> {
  const message = said?.message ?? null
  if (drops) await drop(tx, now.id, number, fails, message ?? 'refused')
  // Keep the transaction that is in a block.
  const txId = said?.status === 'accepted' && now.blockHeight === null ? signed.txId : null
  await tx.query(
    `update intents set status = $2, reason = coalesce($3, reason), message = coalesce($4, message), tx_id = coalesce($5, tx_id),
       updated_at = case when status = $2 and $5 is null then updated_at else now() end, next_reconcile_at = now() + $6 * interval '1 millisecond'
     where id = $1`,
    [now.id, status, fails ? 'refused' : null, fails ? message : null, txId, mayBeResigned(now, said) ? graceMs : reconcileInMs],
  )
  if (fails) await notifyChange(ctx, tx, now.id, now.status)
  return fails ? 'refused' : said === null ? 'unknown' : 'sent'
}

/** The request still has the caller's key: it checks whether the nonce is used for good before a worker takes over. */
const mayBeResigned = (now: Intent, said: Broadcast | null): boolean =>
  now.signer === 'caller' && now.reconciles === 0 && (said?.status === 'nonce_used' || said?.status === 'nonce_taken')

interface Change {
  status: IntentStatus
  /** Deletes the bytes: they were refused at their first send. */
  drops: boolean
  /** The intent has failed: no node has any attempt of it. */
  fails: boolean
}

/** Decides by the stored state, not by the state before the broadcast: another process may have sent since. */
function changeAfter(now: Intent, own: Attempt, transactions: readonly Attempt[], said: Broadcast | null): Change {
  const isUnder = now.status === 'signed' || now.status === 'unknown'
  const drops = said?.status === 'refused' && own.sends === 1 && own.acceptedAt === null
  const others = transactions.filter((each) => each.number !== own.number)
  const fails = drops && isUnder && others.every((each) => each.acceptedAt === null && each.sends === 0)
  const keep = { drops, fails: false }
  if (fails) return { status: 'failed', drops, fails }
  // In a block meanwhile: its state stays.
  if (!isUnder) return { status: now.status, ...keep }
  if (said?.status === 'accepted') return { status: 'broadcast', ...keep }
  return { status: said?.status === 'busy' ? now.status : 'unknown', ...keep }
}

/** Deletes refused bytes: of one attempt, or of all, which frees the nonce. The chain is asked about them all the same. */
async function drop(tx: Tx, intentId: string, number: number, all: boolean, why: string): Promise<void> {
  await tx.query(
    'update intent_attempts set bytes = null, refused = $4 where intent_id = $1 and (number = $2 or $3) and void_at is null and signed_at is not null',
    [intentId, number, all, why.slice(0, 300)],
  )
  if (all) await tx.query('delete from intent_nonces where intent_id = $1', [intentId])
}
