import type { ActionBuilder, ActionPlan, SignedTransaction, Terms } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import { type AddressState, assignNonce, readAddressState } from './assignNonce.ts'
import { liveAttempts, readAttempts, voidAttempts } from './attempts.ts'
import type { Sending } from './broadcastAttempt.ts'
import { claimNonce } from './claimNonce.ts'
import { graceMs, type SendingChain, type TxManagerContext } from './context.ts'
import { feeLimits } from './feeLimits.ts'
import { requireNotHeld } from './hold.ts'
import { type Intent, insertIntent, lockIntent, type NewIntent } from './intents.ts'
import { requireNotPaused } from './pause.ts'
import { insertAttempt } from './storeSigned.ts'
import { transition } from './transition.ts'

/** Attempts with rising fees, signed at once where a higher fee replaces a transaction: later the key is not there. */
const rungs = 3

type SigningNowContext = Pick<TxManagerContext, 'db' | 'environment' | 'purposes'>

export interface SignedNow {
  row: Intent
  sending: Sending
}

/**
 * Stores an intent with its signed attempts before broadcasting them: after a crash a worker sends these bytes, and no others.
 * @param key in the chain's own form; not stored
 * @param also runs in the same transaction (stores the idempotent answer)
 * @throws ApiError 503 if the chain is paused, 403 if the business is held; SenderShort
 */
export async function signNow(
  ctx: SigningNowContext,
  sending: SendingChain,
  wanted: NewIntent,
  plan: ActionPlan,
  key: Secret,
  also: (tx: Tx, result: Intent) => Promise<void>,
): Promise<SignedNow> {
  const address = await readAddressState(sending, wanted.action)
  const signed = await ctx.db.tx(async (tx) => {
    const row = await insertIntent(ctx, tx, wanted, graceMs, null)
    const result = await signAll(ctx, tx, sending, row, plan.terms, address, key)
    await also(tx, result.row)
    return result
  })
  failpoint('api.transfer-signed')
  return signed
}

/**
 * Signs an intent again at another nonce, because a transaction of another wallet used its own.
 * @returns null if a worker has taken over
 * @throws ApiError 503 if the chain is paused, 403 if the business is held; SenderShort
 */
export async function resign(
  ctx: SigningNowContext,
  sending: SendingChain,
  { id: intentId, action }: Intent,
  plan: ActionPlan,
  key: Secret,
): Promise<SignedNow | null> {
  const address = await readAddressState(sending, action)
  return ctx.db.tx(async (tx) => {
    const row = await lockIntent(tx, intentId)
    const old = liveAttempts(await readAttempts(tx, intentId))
    const isOurs = row?.reconciles === 0 && (row.status === 'signed' || row.status === 'unknown')
    if (!isOurs || old.some((each) => each.acceptedAt !== null || each.sends > 1)) return null
    await voidAttempts(
      tx,
      intentId,
      old.map((each) => each.number),
      'its nonce was used by another transaction',
    )
    return signAll(ctx, tx, sending, row, plan.terms, address, key)
  })
}

async function signAll(
  ctx: SigningNowContext,
  tx: Tx,
  sending: SendingChain,
  row: Intent,
  terms: Terms,
  address: AddressState,
  key: Secret,
): Promise<SignedNow> {
  const { builder, chain } = sending
  const nonce = await assignNonce(tx, sending, row, terms, address)
  // The chain may have been paused, or the business suspended, while this waited for the chain or for the nonce.
  await requireNotPaused(tx, row.chain)
  await requireNotHeld(ctx, tx, row.businessId)
  failpoint('api.transfer-claimed')
  const ladder = ladderOf(builder, row, (await feeLimits(tx, chain)).ceiling, terms)
  const signed = ladder.map((each) => builder.sign(row.action, each, nonce, [key]))
  for (const [i, each] of signed.entries()) {
    await insertAttempt(ctx, tx, row, { nonce, terms: ladder[i] ?? terms, signed: each, sends: i === 0 ? 1 : 0 })
  }
  return markSigned(ctx, tx, row)
}

/** Terms with rising fees, up to the ceiling; one rung if the caller named a price. */
function ladderOf(builder: ActionBuilder, row: Intent, ceiling: bigint, terms: Terms): Terms[] {
  const ladder = [terms]
  if (!builder.bumpFee || row.action.gasPrice !== null) return ladder
  while (ladder.length < rungs) ladder.push(builder.bumpFee(ladder.at(-1) ?? terms))
  return ladder.filter((each, i) => i === 0 || builder.maxFee(each) <= ceiling)
}

/** A transaction that was signed elsewhere, for an intent that is not stored yet. */
export interface SignedElsewhere {
  wanted: NewIntent
  nonce: bigint | null
  terms: Terms
  signed: SignedTransaction
}

export const nonceUsed = () =>
  new ApiError(409, 'sequence_used', 'Something else was sent from this address since the transfer was prepared; prepare it again')

/**
 * Stores an intent with an attempt that was signed elsewhere, before broadcasting it.
 * @throws ApiError 409 `sequence_used`, 503 if the chain is paused, 403 if the business is held
 */
export async function storeSignedElsewhere(ctx: SigningNowContext, tx: Tx, { wanted, nonce, terms, signed }: SignedElsewhere): Promise<SignedNow> {
  const row = await insertIntent(ctx, tx, wanted, graceMs, null)
  const owner = { chain: row.chain, address: row.action.from, intentId: row.id }
  if (nonce !== null && (await claimNonce(tx, owner, nonce)) !== nonce) throw nonceUsed()
  // The chain may have been paused, or the business suspended, while the chain was asked.
  await requireNotPaused(tx, row.chain)
  await requireNotHeld(ctx, tx, row.businessId)
  failpoint('api.transfer-claimed')
  await insertAttempt(ctx, tx, row, { nonce, terms, signed, sends: 1 })
  return markSigned(ctx, tx, row)
}

/** Marks an intent as signed, with its first live attempt, whose first send was counted when it was stored. */
async function markSigned(ctx: SigningNowContext, tx: Tx, row: Intent): Promise<SignedNow> {
  const first = liveAttempts(await readAttempts(tx, row.id)).find((each) => each.signed !== null)
  if (!first?.signed) throw new Error('nothing is signed')
  const { status, reason, message, txId } = await transition(ctx, tx, row, { kind: 'signed', txId: first.signed.txId })
  const sending = { number: first.number, nonce: first.nonce, signed: first.signed, isFirst: true }
  return { row: { ...row, status, reason, message, txId }, sending }
}
