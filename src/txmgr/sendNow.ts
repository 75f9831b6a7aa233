import type { Action } from '../chains/action.ts'
import { ProviderError } from '../chains/chain.ts'
import type { ActionPlan } from '../chains/sending.ts'
import type { Tx } from '../platform/database/db.ts'
import type { OneByOne } from '../platform/database/oneByOne.ts'
import { ApiError, messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import { pause } from '../platform/wait.ts'
import { broadcastAttempt } from './broadcastAttempt.ts'
import { graceMs, type SendingChain, type TxManagerContext } from './context.ts'
import { countSend } from './countSend.ts'
import { type Intent, type NewIntent, readIntents } from './intents.ts'
import {
  type KeyFailpoints,
  type KeyStep,
  resign,
  type SignedElsewhere,
  type SignedNow,
  type SignedStep,
  type Signing,
  signNow,
  storeSignedElsewhere,
} from './signNow.ts'

/**
 * While the request waits, its key can sign again: this often, within this time after each send. A worker
 * takes over later than that.
 */
const [maxSignings, resignWithinMs] = [3, 13_000]
/**
 * Caps how long nodes must report the attempt as unminable while the request waits. A worker queries longer.
 */
const maxUnminableMs = 5_000
/** How long a request may wait for earlier ones of its address. */
const maxWaitMs = 20_000

export interface KeySendingContext extends TxManagerContext {
  /**
   * Runs transfers of one address one at a time in this process: they wait for the same nonce, and would use
   * up the database connections.
   */
  ofAddress: OneByOne
}

export const transferPoints: KeyFailpoints = {
  claimed: 'api.transfer-claimed',
  signed: 'api.transfer-signed',
  sent: 'api.transfer-sent',
  recorded: 'api.transfer-recorded',
}

/**
 * Signs and sends an intent with a key from the request. The signed bytes are stored before they are
 * broadcast; from then on a worker can finish.
 * @param also runs in the transaction that stores them
 * @returns the intent, also if sending failed: after an error the caller might send again, although a worker
 * still sends this one
 * @throws ApiError 503, 403 before anything is stored; SenderShortageError
 */
export async function sendWithKey(
  ctx: KeySendingContext,
  sending: SendingChain,
  wanted: NewIntent,
  plan: ActionPlan,
  key: Secret,
  also: (tx: Tx, result: Intent) => Promise<void>,
): Promise<Intent> {
  const signing: Signing = { key, isInTime: () => true, points: transferPoints }
  const one = async (tx: Tx, [result]: readonly Intent[]) => {
    if (result) await also(tx, result)
  }
  const signed = await oneAtATime(ctx, wanted, () => signNow(ctx, sending, [{ wanted, plan }], signing, one))
  const [row] = await sendInOrder(ctx, sending, signed, signing)
  if (!row) throw new Error('nothing was signed')
  return row
}

/** Steps to sign, and how. */
export interface PreparedSteps {
  steps: readonly KeyStep[]
  signing: Signing
}

/**
 * As `sendWithKey`, for transactions that build on each other: they get nonces in their order, and all are
 * stored before the first is sent. One is sent once the network has the one before it; if that fails, it is
 * never sent.
 * @param from the sender
 * @param prepare plans the steps: called when no other request of the address is at work
 * @returns the intents in their order
 * @throws what `prepare` and `sendWithKey` throw; PlanExpiredError
 */
export async function sendStepsWithKey(
  ctx: KeySendingContext,
  sending: SendingChain,
  from: string,
  prepare: () => Promise<PreparedSteps>,
  also: (tx: Tx, result: readonly Intent[]) => Promise<void>,
): Promise<Intent[]> {
  const place = { chain: sending.chain.name, action: { from } }
  const { signed, signing } = await oneAtATime(ctx, place, async () => {
    const { steps, signing } = await prepare()
    return { signing, signed: await signNow(ctx, sending, steps, signing, also) }
  })
  return sendInOrder(ctx, sending, signed, signing)
}

/**
 * Stores and sends a transaction that was signed elsewhere.
 * @param read in the transaction that stores it; null if there is nothing to send
 * @param also runs in the same transaction
 * @returns the intent, also if sending failed
 * @throws ApiError 409 `sequence_used`, 503, 403 before anything is stored
 */
export async function sendSigned(
  ctx: TxManagerContext,
  sending: SendingChain,
  read: (tx: Tx) => Promise<SignedElsewhere | null>,
  also: (tx: Tx, result: Intent) => Promise<void>,
): Promise<Intent | null> {
  const stored = await ctx.db.tx(async (tx) => {
    const found = await read(tx)
    if (!found) return null
    const signed = await storeSignedElsewhere(ctx, tx, found)
    await also(tx, signed.row)
    return signed
  })
  if (!stored) return null
  failpoint('api.transfer-signed')
  const [sent] = await finish(ctx, [stored.row], () => broadcastNow(ctx, sending, stored, transferPoints))
  return sent ?? stored.row
}

const broadcastNow = (
  ctx: TxManagerContext,
  sending: SendingChain,
  signed: SignedNow,
  points: KeyFailpoints,
) => broadcastAttempt(ctx, sending, signed.row, signed.sending, [points.sent, points.recorded])

/** Reads intents of one business again after they were sent. Does not fail. */
async function finish(
  ctx: TxManagerContext,
  rows: readonly Intent[],
  send: () => Promise<unknown>,
): Promise<Intent[]> {
  const [first] = rows
  try {
    await send()
    const ids = rows.map(({ id }) => id)
    const now = await readIntents(ctx.db, 'id = any($1::uuid[]) and business_id is not distinct from $2', [
      ids,
      first?.businessId ?? null,
    ])
    return rows.map((row) => now.find(({ id }) => id === row.id) ?? row)
  } catch (error) {
    ctx.log.error(
      { intent: first?.id, chain: first?.chain, err: messageOf(error) },
      'a stored transfer was not sent; a worker continues',
    )
    return [...rows]
  }
}

const sendInOrder = (
  ctx: KeySendingContext,
  sending: SendingChain,
  steps: readonly SignedStep[],
  signing: Signing,
): Promise<Intent[]> =>
  finish(
    ctx,
    steps.map(({ row }) => row),
    () => broadcastInOrder(ctx, sending, steps, signing),
  )

/** @throws ApiError 503 if the wait was too long; nothing was done */
function oneAtATime<T>(
  { ofAddress }: KeySendingContext,
  { chain, action }: { chain: string; action: Pick<Action, 'from'> },
  work: () => Promise<T>,
): Promise<T> {
  const askedAt = Date.now()
  return ofAddress(`${chain} ${action.from}`, async () => {
    if (Date.now() - askedAt <= maxWaitMs) return work()
    throw new ApiError(503, 'unavailable', 'Too many transfers of this address are under way', {
      retryAfterSeconds: 5,
    })
  })
}

/**
 * Broadcasts each transaction after the one before it. Signs the rest again while the key is here if another
 * transaction has used a nonce. One that is not sent now is left to a worker; one behind a failed transaction
 * ends.
 */
async function broadcastInOrder(
  ctx: KeySendingContext,
  sending: SendingChain,
  steps: readonly SignedStep[],
  signing: Signing,
): Promise<void> {
  let [current, ...later] = steps
  for (let signings = 1; current; ) {
    const answer = await broadcastNow(ctx, sending, current, signing.points)
    if (answer?.status === 'nonce_used' || answer?.status === 'nonce_taken') {
      const left = [current, ...later]
      await keepFromWorkers(ctx, later)
      if (
        signings++ === maxSignings ||
        !(await nonceIsUsed(ctx, sending, current, Date.now() + resignWithinMs))
      )
        return
      ;[current, ...later] =
        (await oneAtATime(ctx, current.row, () => resign(ctx, sending, left, signing))) ?? []
      if (current && signing.points.resigned) failpoint(signing.points.resigned)
    } else {
      ;[current, ...later] = await countNext(ctx, later)
      if (current && signing.points.next) failpoint(signing.points.next)
    }
  }
}

/** Counts the first send of the next step that may be sent now. @returns that one and those after it */
async function countNext(ctx: KeySendingContext, later: readonly SignedStep[]): Promise<SignedStep[]> {
  for (const [i, { row, sending }] of later.entries()) {
    if (await countSend(ctx, row, { number: sending.number, cancels: false })) return later.slice(i)
  }
  return []
}

/**
 * Keeps steps for this request while it checks the nonce of the one before them, as `broadcastAttempt` does
 * with that one.
 */
async function keepFromWorkers({ db }: KeySendingContext, later: readonly SignedStep[]): Promise<void> {
  if (later.length === 0) return
  await db.query(
    `update intents set next_reconcile_at = now() + $2 * interval '1 millisecond' where id = any($1::uuid[]) and reconciles = 0`,
    [later.map(({ row }) => row.id), graceMs],
  )
}

/**
 * Checks if every node reports without interruption that another transaction in a block used the nonce: one
 * of several nodes behind a URL may not have the block with this one yet. A transaction that only waits with
 * the nonce may still be dropped. Reports that start before `until` are followed to the end: under load
 * answers are slow, and the key is here only now.
 */
async function nonceIsUsed(
  { unminableMs }: Pick<TxManagerContext, 'unminableMs'>,
  { sender }: SendingChain,
  { row, sending }: SignedNow,
  until: number,
): Promise<boolean> {
  let since: number | null = null
  while (Date.now() < (since === null ? until : since + 2 * maxUnminableMs)) {
    const { txId, expiry } = sending.signed
    const outcome = await sender
      .outcome(row.action.from, [{ txId, expiry, nonce: sending.nonce }])
      .catch((error) => {
        if (error instanceof ProviderError) return null
        throw error
      })
    if (outcome?.status === 'included') return false
    if (outcome?.status === 'unminable' && outcome.standing !== 'seen') {
      if (outcome.reason !== 'sequence_used') return false
      // Deep enough that no reorg brings the first attempt back next to the second.
      since ??= Date.now()
      if (Date.now() - since >= Math.min(unminableMs, maxUnminableMs)) return true
    } else if (outcome) {
      since = null
    }
    await pause(250)
  }
  return false
}
