import { failpoint } from '../platform/failpoints.ts'
import { type OutgoingContext, type SendingChain, stuckAfter } from './context.ts'
import { isHeld } from './hold.ts'
import { liveOf, lockOutgoing, type Outgoing, type OutgoingTransaction, readTransactions, requestTransaction } from './outgoing.ts'

/** Each is dearer by half: the seventh pays more than eleven times the first fee. */
const maxReplacements = 6

/**
 * The dearer transaction at the same sequence that is to be sent now, because the last one waits for too long. Of a caller's key they
 * were signed at the beginning; of a stored wallet the treasury is asked for one, which comes with a later look.
 */
export async function raise(
  ctx: OutgoingContext,
  { chain, builder, sender }: SendingChain,
  row: Outgoing,
  transactions: readonly OutgoingTransaction[],
): Promise<OutgoingTransaction | null> {
  const last = transactions.findLast((each) => each.sends > 0)
  const next = transactions.find((each) => each.sends === 0 && each.number > (last?.number ?? -1))
  if (!last || !builder.dearer || last.sequence === null) return null
  // A dearer one would throw out what somebody else sent from the address: that goes first, or is given up, as its owner likes.
  if (last.isOutbid) return null
  // What the treasury was asked for, and has signed by now.
  if (next && row.signer === 'wallet') return next.signed ? next : null
  // One that no node took may be too cheap by now.
  if (Date.now() - (last.acceptedAt ?? last.createdAt).getTime() < stuckAfter(ctx, chain)) return null
  if (await waitsForAnother(ctx, row, last.sequence)) return null
  const lowest = await sender.nextSequence?.(row.intent.from)
  if (lowest !== undefined && lowest < last.sequence) {
    // One before it was given up. Whatever is sent from the address next takes it.
    ctx.observe('gap', row.chain)
    ctx.log.warn(
      { outgoing: row.id, chain: row.chain, from: row.intent.from, missing: String(lowest) },
      'a transfer waits for a nonce that nothing has',
    )
    return null
  }
  if (next) {
    ctx.observe('raised', row.chain)
    return next.signed ? next : null
  }
  if (row.signer !== 'wallet' || last.number >= maxReplacements) return null
  const terms = builder.dearer(last.terms)
  // The treasury would not sign it.
  if (builder.maxFee(terms) > chain.maxFee) return null
  const asked = await ctx.db.tx(async (tx) => {
    const now = await lockOutgoing(tx, row.id)
    if (now?.looks !== row.looks || liveOf(await readTransactions(tx, row.id)).length !== transactions.length) return false
    if (await isHeld(ctx, tx, row.businessId)) return false
    await requestTransaction(tx, row, { sequence: last.sequence, terms }, ctx.prover)
    return true
  })
  if (asked) ctx.observe('raised', row.chain)
  failpoint('outgoing.raised')
  return null
}

/** A higher fee moves nothing that waits for an earlier sequence of its address. */
async function waitsForAnother(ctx: OutgoingContext, row: Outgoing, sequence: bigint): Promise<boolean> {
  const rows = await ctx.db.query(
    `select 1 from outgoing_sequences s join outgoing o on o.id = s.outgoing_id
     where s.chain = $1 and s.address = $2 and s.sequence < $3 and o.block_height is null and o.next_look_at is not null limit 1`,
    [row.chain, row.intent.from, sequence.toString()],
  )
  return rows.length > 0
}
