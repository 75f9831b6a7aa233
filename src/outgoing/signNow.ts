import type { SignedTransaction, Terms, TransferBuilder, TransferPlan } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import { graceMs, type OutgoingContext, type SendingChain } from './context.ts'
import type { Sending } from './deliver.ts'
import { type HoldContext, requireNotHeld } from './hold.ts'
import {
  insertOutgoing,
  insertTransaction,
  liveOf,
  lockOutgoing,
  type NewOutgoing,
  type Outgoing,
  readTransactions,
  voidTransactions,
} from './outgoing.ts'
import { requireNotPaused } from './pause.ts'
import { type AskedAddress, askAddress, takeSequence } from './takeSequence.ts'

/** Signed at once where the chain lets a dearer transaction replace one: nobody can sign more when the key is gone. */
const rungs = 3
export interface SignedNow {
  row: Outgoing
  sending: Sending
}

/**
 * Stores an intent with its signed transactions, before anybody is told of them: a crash from here on can only end in the bytes being
 * sent by a worker, never in others.
 * @param key in the chain's own form; gone with the call
 * @param also runs in the same transaction (the idempotent answer is stored there)
 * @throws ApiError 503 where the chain is paused, 403 where the business is held; SenderShort
 */
export async function signNow(
  ctx: Pick<OutgoingContext, 'db' | 'environment'>,
  sending: SendingChain,
  wanted: NewOutgoing,
  plan: TransferPlan,
  key: Secret,
  also: (tx: Tx, row: Outgoing) => Promise<void>,
): Promise<SignedNow> {
  const address = await askAddress(sending, wanted.intent)
  const signed = await ctx.db.tx(async (tx) => {
    const row = await insertOutgoing(tx, wanted, graceMs, null)
    const result = await signAll(ctx, tx, sending, row, plan.terms, address, key)
    await also(tx, result.row)
    return result
  })
  failpoint('api.transfer-signed')
  return signed
}

/**
 * Signs an intent anew at another sequence, because its own was used by a transaction that is not ours.
 * @returns null where a worker knows better by now
 * @throws ApiError 503 where the chain is paused, 403 where the business is held; SenderShort
 */
export async function signAnew(
  ctx: Pick<OutgoingContext, 'db' | 'environment'>,
  sending: SendingChain,
  { id: outgoingId, intent }: Outgoing,
  plan: TransferPlan,
  key: Secret,
): Promise<SignedNow | null> {
  const address = await askAddress(sending, intent)
  return ctx.db.tx(async (tx) => {
    const row = await lockOutgoing(tx, outgoingId)
    const old = liveOf(await readTransactions(tx, outgoingId))
    const isOurs = row?.looks === 0 && (row.status === 'signed' || row.status === 'unknown')
    if (!isOurs || old.some((each) => each.acceptedAt !== null || each.sends > 1)) return null
    await voidTransactions(
      tx,
      outgoingId,
      old.map((each) => each.number),
      'its sequence was used by another transaction',
    )
    return signAll(ctx, tx, sending, row, plan.terms, address, key)
  })
}

async function signAll(
  ctx: HoldContext,
  tx: Tx,
  sending: SendingChain,
  row: Outgoing,
  terms: Terms,
  address: AskedAddress,
  key: Secret,
): Promise<SignedNow> {
  const { builder, chain } = sending
  const sequence = await takeSequence(tx, sending, row, terms, address)
  // A pause or a suspension may have come while the chain was asked, or while another transfer held the sequence.
  await requireNotPaused(tx, row.chain)
  await requireNotHeld(ctx, tx, row.businessId)
  failpoint('api.transfer-claimed')
  const ladder = ladderOf(builder, row, chain.maxFee, terms)
  const signed = ladder.map((each) => builder.sign(row.intent, each, sequence, key))
  for (const [i, each] of signed.entries()) {
    await insertTransaction(tx, row, { sequence, terms: ladder[i] ?? terms, signed: each, sends: i === 0 ? 1 : 0 })
  }
  return { row: await markSigned(tx, row, signed[0]), sending: await firstSending(tx, row.id) }
}

/** Who names a price means it; and no rung is dearer than the chain allows. */
function ladderOf(builder: TransferBuilder, row: Outgoing, maxFee: bigint, terms: Terms): Terms[] {
  const ladder = [terms]
  if (!builder.dearer || row.intent.gasPrice !== null) return ladder
  while (ladder.length < rungs) ladder.push(builder.dearer(ladder.at(-1) ?? terms))
  return ladder.filter((each, i) => i === 0 || builder.maxFee(each) <= maxFee)
}

/** Notes that an intent has signed transactions, and shows the first. */
export async function markSigned(tx: Tx, row: Outgoing, first: SignedTransaction | undefined): Promise<Outgoing> {
  await tx.query("update outgoing set status = 'signed', tx_id = $2, reason = null, message = null, updated_at = now() where id = $1", [
    row.id,
    first?.txId ?? null,
  ])
  return { ...row, status: 'signed', txId: first?.txId ?? null }
}

/** The first send of an intent's newest ladder; it was counted when it was stored. */
export async function firstSending(tx: Tx, outgoingId: string): Promise<Sending> {
  const first = liveOf(await readTransactions(tx, outgoingId)).find((each) => each.signed !== null)
  if (!first?.signed) throw new Error('nothing is signed')
  return { number: first.number, sequence: first.sequence, signed: first.signed, isFirst: true }
}
