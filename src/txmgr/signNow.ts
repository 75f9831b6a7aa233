import type { ActionBuilder, ActionPlan, SignedTransaction, Terms } from '../chains/sending.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError, BaseError } from '../platform/errors.ts'
import { type Failpoint, failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import { type AddressState, assignNonce, readAddressState } from './assignNonce.ts'
import { liveAttempts, readAttempts, voidAttempts } from './attempts.ts'
import type { Sending } from './broadcastAttempt.ts'
import { claimNonce } from './claimNonce.ts'
import { graceMs, type SendingChain, type TxManagerContext } from './context.ts'
import { feeLimits } from './fees/feeLimits.ts'
import { requireNotHeld } from './hold.ts'
import { type Intent, insertIntent, lockIntent, type NewIntent } from './intents.ts'
import { requireNotPaused } from './pause.ts'
import { signedMessage } from './proof.ts'
import { insertAttempt } from './storeSigned.ts'
import { transition } from './transition.ts'

/**
 * Attempts with rising fees, signed at once where a higher fee replaces a transaction: later the key is not
 * there.
 */
const rungs = 3

type SigningNowContext = Pick<TxManagerContext, 'db' | 'environment' | 'purposes' | 'prover'>

export interface SignedNow {
  row: Intent
  sending: Sending
}

/**
 * One of the transactions that a request signs. Its plan is that under the conditions after the steps before
 * it.
 */
export interface KeyStep {
  wanted: NewIntent
  plan: ActionPlan
}

/** The signatures of one request. */
export interface Signing {
  /** In the chain's own form; not stored. */
  key: Secret
  /**
   * Called right before signing, in the transaction that stores it: false if it is too late for what was
   * planned.
   */
  isInTime(): boolean
  points: KeyFailpoints
}

/** A signed step with the plan that it can be signed again by. */
export interface SignedStep extends SignedNow {
  plan: ActionPlan
}

/**
 * Where a process can be killed: with the nonce claimed, the bytes stored, the bytes sent, the answer
 * recorded.
 */
export interface KeyFailpoints
  extends Readonly<Record<'claimed' | 'signed' | 'sent' | 'recorded', Failpoint>> {
  /** With the first send of the next step counted. */
  next?: Failpoint
  /** With the rest signed again. */
  resigned?: Failpoint
}

/** Too much time has passed since the plan. Nothing was stored. */
export class PlanExpiredError extends BaseError {
  readonly code = 'plan_expired'
  readonly retry = 'yes'
}

/**
 * Between the times at which workers take over the steps of a request: the steps before have been sent by
 * then.
 */
const staggerMs = 1000

/**
 * Stores intents with their signed attempts, at nonces in their order, before broadcasting the first: after a
 * crash a worker sends these bytes, and no others. Each follows the one before it.
 * @param also runs in the same transaction (stores the idempotent answer)
 * @throws ApiError 503 if the chain is paused, 403 if the business is held; SenderShortageError; PlanExpiredError
 */
export async function signNow(
  ctx: SigningNowContext,
  sending: SendingChain,
  steps: readonly KeyStep[],
  signing: Signing,
  also: (tx: Tx, result: readonly Intent[]) => Promise<void>,
): Promise<SignedStep[]> {
  const address = await readAddressState(sending, lastOf(steps).wanted.action)
  const signed = await ctx.db.tx(async (tx) => {
    const all: SignedStep[] = []
    for (const [i, { wanted, plan }] of steps.entries()) {
      const follows = all.at(-1)?.row.id ?? null
      const row = await insertIntent(ctx, tx, { ...wanted, follows }, graceMs + i * staggerMs, null)
      all.push(await signAll(ctx, tx, sending, { row, plan, address, isNext: i === 0 }, signing))
    }
    const rows = all.map(({ row }) => row)
    await also(tx, rows)
    return all
  })
  failpoint(signing.points.signed)
  return signed
}

/** The last step spends; those before it only prepare for it. */
function lastOf<T>(steps: readonly T[]): T {
  const last = steps.at(-1)
  if (last === undefined) throw new Error('there is nothing to sign')
  return last
}

/**
 * Signs intents again at other nonces, because a transaction of another wallet used that of the first one.
 * @param steps the first and all that follow it: of the others nothing was sent
 * @returns null if a worker has taken over, or it is too late
 * @throws ApiError 503 if the chain is paused, 403 if the business is held; SenderShortageError
 */
export async function resign(
  ctx: SigningNowContext,
  sending: SendingChain,
  steps: readonly SignedStep[],
  signing: Signing,
): Promise<SignedStep[] | null> {
  const address = await readAddressState(sending, lastOf(steps).row.action)
  if (!signing.isInTime()) return null
  const signed = ctx.db.tx(async (tx) => {
    const voided: Pick<SignedStep, 'row' | 'plan'>[] = []
    // All before the first is signed again: it may get the nonce of a later one.
    for (const { row, plan } of steps) voided.push({ row: await voidUnsent(tx, row.id), plan })
    const all: SignedStep[] = []
    for (const [i, step] of voided.entries())
      all.push(await signAll(ctx, tx, sending, { ...step, address, isNext: i === 0 }, signing))
    return all
  })
  return signed.catch((error) => {
    if (error instanceof TakenOverError || error instanceof PlanExpiredError) return null
    throw error
  })
}

/** A worker took over an intent, or a node has its bytes. Rolls back what was voided before. */
class TakenOverError extends BaseError {
  readonly code = 'taken_over'
  readonly retry = 'no'
}

/** Gives up the attempts of an intent that no node took. @throws TakenOverError */
async function voidUnsent(tx: Tx, intentId: string): Promise<Intent> {
  const row = await lockIntent(tx, intentId)
  const old = liveAttempts(await readAttempts(tx, intentId))
  const isOurs = row?.reconciles === 0 && (row.status === 'signed' || row.status === 'unknown')
  if (!isOurs || old.some((each) => each.acceptedAt !== null || each.sends > 1))
    throw new TakenOverError(`a worker or a node has intent ${intentId}`)
  const numbers = old.map((each) => each.number)
  await voidAttempts(tx, intentId, numbers, 'its nonce was used by another transaction')
  return row
}

interface ToSign {
  row: Intent
  plan: ActionPlan
  address: AddressState
  /** It is sent as soon as it is stored: its first send is counted here. */
  isNext: boolean
}

async function signAll(
  ctx: SigningNowContext,
  tx: Tx,
  sending: SendingChain,
  { row, plan, address, isNext }: ToSign,
  { key, isInTime, points }: Signing,
): Promise<SignedStep> {
  const { builder, chain } = sending
  const { terms } = plan
  const nonce = await assignNonce(tx, sending, row, terms, address)
  // The chain may have been paused, or the business suspended, while this waited for the chain or for the
  // nonce.
  await requireNotPaused(tx, row.chain)
  await requireNotHeld(ctx, tx, row.businessId)
  if (!isInTime()) throw new PlanExpiredError('too much time has passed since the plan')
  failpoint(points.claimed)
  const ladder = ladderOf(builder, row, (await feeLimits(tx, chain)).ceiling, terms)
  const signed = ladder.map((each) => builder.sign(row.action, each, nonce, [key]))
  for (const [i, each] of signed.entries()) {
    const attempt = { nonce, terms: ladder[i] ?? terms, signed: each, sends: i === 0 && isNext ? 1 : 0 }
    await insertAttempt(
      ctx,
      tx,
      row,
      attempt,
      ctx.prover.prove(signedMessage({ intentId: row.id, chain: row.chain, txId: each.txId })),
    )
  }
  return { ...(await markSigned(ctx, tx, row)), plan }
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
  new ApiError(
    409,
    'sequence_used',
    'Something else was sent from this address since the transfer was prepared; prepare it again',
  )

/**
 * Stores an intent with an attempt that was signed elsewhere, before broadcasting it.
 * @throws ApiError 409 `sequence_used`, 503 if the chain is paused, 403 if the business is held
 */
export async function storeSignedElsewhere(
  ctx: Omit<SigningNowContext, 'prover'>,
  tx: Tx,
  { wanted, nonce, terms, signed }: SignedElsewhere,
): Promise<SignedNow> {
  const row = await insertIntent(ctx, tx, wanted, graceMs, null)
  const owner = { chain: row.chain, address: row.action.from, intentId: row.id }
  if (nonce !== null && (await claimNonce(tx, owner, nonce)) !== nonce) throw nonceUsed()
  // The chain may have been paused, or the business suspended, while the chain was read.
  await requireNotPaused(tx, row.chain)
  await requireNotHeld(ctx, tx, row.businessId)
  failpoint('api.transfer-claimed')
  await insertAttempt(ctx, tx, row, { nonce, terms, signed, sends: 1 })
  return markSigned(ctx, tx, row)
}

/**
 * Marks an intent as signed, with its first live attempt, whose first send was counted when it was stored.
 */
async function markSigned(ctx: Omit<SigningNowContext, 'prover'>, tx: Tx, row: Intent): Promise<SignedNow> {
  const first = liveAttempts(await readAttempts(tx, row.id)).find((each) => each.signed !== null)
  if (!first?.signed) throw new Error('nothing is signed')
  const { status, reason, message, txId } = await transition(ctx, tx, row, {
    kind: 'signed',
    txId: first.signed.txId,
  })
  const sending = { number: first.number, nonce: first.nonce, signed: first.signed, isFirst: true }
  return { row: { ...row, status, reason, message, txId }, sending }
}
