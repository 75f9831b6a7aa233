import { ProviderError } from '../chains/chain.ts'
import type { Broadcast, SignedTransaction } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint, type OutgoingFailpoint } from '../platform/failpoints.ts'
import { graceMs, lookEvery, type OutgoingContext, type OutgoingStep, type SendingChain } from './context.ts'
import { lockOutgoing, type Outgoing, type OutgoingStatus, type OutgoingTransaction, readTransactions, tellChange } from './outgoing.ts'

/** What is sent. That it is was counted before. */
export interface Sending {
  number: number
  sequence: bigint | null
  signed: SignedTransaction
  /** It was never sent before. */
  isFirst: boolean
}

/**
 * Tells the network of signed bytes and stores what it says. The bytes and the count of this send are stored already: a crash from here
 * on leaves a row that is looked at again.
 * @returns what the network said; null where nobody knows
 */
export async function deliver(
  ctx: OutgoingContext,
  { sender, chain }: Pick<SendingChain, 'sender' | 'chain'>,
  row: Outgoing,
  sending: Sending,
  [sent, recorded]: readonly [OutgoingFailpoint, OutgoingFailpoint],
): Promise<Broadcast | null> {
  const said = await sender.broadcast(sending.signed).catch((error) => {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ outgoing: row.id, chain: row.chain, err: messageOf(error) }, 'nobody can say whether the network has a transaction')
    return null
  })
  failpoint(sent)
  await record(ctx, row, sending, said, lookEvery(ctx, chain))
  failpoint(recorded)
  return said
}

async function record(ctx: OutgoingContext, row: Outgoing, sending: Sending, said: Broadcast | null, lookInMs: number): Promise<void> {
  const step = await ctx.db.tx(async (tx) => {
    const now = await lockOutgoing(tx, row.id)
    const transactions = await readTransactions(tx, row.id)
    const own = transactions.find((each) => each.number === sending.number)
    const isAccepted = said?.status === 'accepted'
    // Who is too busy to look at it, and who does not answer, says nothing of it.
    if (said !== null && said.status !== 'busy') {
      await tx.query(
        `update outgoing_transactions set is_outbid = $3, accepted_at = case when $4 then coalesce(accepted_at, now()) else accepted_at end,
           was_taken = was_taken or (accepted_at is null and $5)
         where outgoing_id = $1 and number = $2`,
        [
          row.id,
          sending.number,
          said.status === 'sequence_taken',
          isAccepted,
          sending.isFirst && (said.status === 'sequence_taken' || said.status === 'sequence_used'),
        ],
      )
    }
    // What was given up meanwhile, or is looked at by another one, is no longer ours to say anything of.
    if (!now || now.settled || !own || own.isVoid || (!isAccepted && now.looks !== row.looks)) return null
    return store(ctx, tx, now, changeAfter(now, own, transactions, said), { ...sending, said, lookInMs })
  })
  if (step !== null) ctx.observe(step, row.chain)
}

async function store(
  ctx: OutgoingContext,
  tx: Tx,
  now: Outgoing,
  { status, drops, fails }: Change,
  { number, signed, said, lookInMs }: Sending & { said: Broadcast | null; lookInMs: number },
): Promise<OutgoingStep> {
  const message = said?.message ?? null
  if (drops) await drop(tx, now.id, number, fails, message ?? 'refused')
  // What is in a block already is what there is to look for.
  const txId = said?.status === 'accepted' && now.blockHeight === null ? signed.txId : null
  await tx.query(
    `update outgoing set status = $2, reason = coalesce($3, reason), message = coalesce($4, message), tx_id = coalesce($5, tx_id),
       updated_at = case when status = $2 and $5 is null then updated_at else now() end, next_look_at = now() + $6 * interval '1 millisecond'
     where id = $1`,
    [now.id, status, fails ? 'refused' : null, fails ? message : null, txId, mayBeSignedAnew(now, said) ? graceMs : lookInMs],
  )
  if (fails) await tellChange(ctx, tx, now.id, now.status)
  return fails ? 'refused' : said === null ? 'unknown' : 'sent'
}

/** The caller's key is still here: whoever has it finds out whether the sequence is gone for good, before a worker looks. */
const mayBeSignedAnew = (now: Outgoing, said: Broadcast | null): boolean =>
  now.signer === 'caller' && now.looks === 0 && (said?.status === 'sequence_used' || said?.status === 'sequence_taken')

interface Change {
  status: OutgoingStatus
  /** The bytes are thrown away: they were refused at their first send. */
  drops: boolean
  /** The intent has failed: nobody has any transaction of it. */
  fails: boolean
}

/** What an answer means, by what is stored and not by what was known when it was asked for: another process may have sent since. */
function changeAfter(now: Outgoing, own: OutgoingTransaction, transactions: readonly OutgoingTransaction[], said: Broadcast | null): Change {
  const isUnder = now.status === 'signed' || now.status === 'unknown'
  const drops = said?.status === 'refused' && own.sends === 1 && own.acceptedAt === null
  const others = transactions.filter((each) => each.number !== own.number)
  const fails = drops && isUnder && others.every((each) => each.acceptedAt === null && each.sends === 0)
  const keep = { drops, fails: false }
  if (fails) return { status: 'failed', drops, fails }
  // What was in a block meanwhile stays what it is.
  if (!isUnder) return { status: now.status, ...keep }
  if (said?.status === 'accepted') return { status: 'broadcast', ...keep }
  return { status: said?.status === 'busy' ? now.status : 'unknown', ...keep }
}

/** Throws bytes away that nobody took: of one transaction, or of the whole intent, whose sequence is free then. It is asked about all the same. */
async function drop(tx: Tx, outgoingId: string, number: number, all: boolean, why: string): Promise<void> {
  await tx.query(
    'update outgoing_transactions set bytes = null, refused = $4 where outgoing_id = $1 and (number = $2 or $3) and void_at is null and signed_at is not null',
    [outgoingId, number, all, why.slice(0, 300)],
  )
  if (all) await tx.query('delete from outgoing_sequences where outgoing_id = $1', [outgoingId])
}
