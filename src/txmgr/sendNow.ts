import { ProviderError } from '../chains/chain.ts'
import type { ActionPlan } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { ApiError, messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { OneByOne } from '../platform/oneByOne.ts'
import type { Secret } from '../platform/secrets.ts'
import { pause } from '../platform/wait.ts'
import { broadcastAttempt } from './broadcastAttempt.ts'
import type { SendingChain, TxManagerContext } from './context.ts'
import { type Intent, type NewIntent, readIntents } from './intents.ts'
import { resign, type SignedElsewhere, type SignedNow, signNow, storeSignedElsewhere } from './signNow.ts'

/** While the request waits, its key can sign again: this often, within this time after each send. A worker takes over later than that. */
const [maxSignings, resignWithinMs] = [3, 13_000]
/** Caps how long nodes must report the attempt as unminable while the request waits. A worker asks for longer. */
const maxUnminableMs = 5_000
/** How long a request may wait for earlier ones of its address. */
const maxWaitMs = 20_000

export interface KeySendingContext extends TxManagerContext {
  /** Runs transfers of one address one at a time in this process: they wait for the same nonce, and would use up the database connections. */
  ofAddress: OneByOne
}

/**
 * Signs and sends an intent with a key from the request. The signed bytes are stored before they are broadcast; from then on a worker can finish.
 * @param also runs in the transaction that stores them
 * @returns the intent, also if sending failed: after an error the caller might send again, although a worker still sends this one
 * @throws ApiError 503, 403 before anything is stored; SenderShort
 */
export async function sendWithKey(
  ctx: KeySendingContext,
  sending: SendingChain,
  wanted: NewIntent,
  plan: ActionPlan,
  key: Secret,
  also: (tx: Tx, result: Intent) => Promise<void>,
): Promise<Intent> {
  const signed = await oneAtATime(ctx, wanted, () => signNow(ctx, sending, wanted, plan, key, also))
  return finish(ctx, signed.row, () => broadcastAndResign(ctx, sending, signed, plan, key))
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
  return finish(ctx, stored.row, () => broadcastNow(ctx, sending, stored))
}

const broadcastNow = (ctx: TxManagerContext, sending: SendingChain, signed: SignedNow) =>
  broadcastAttempt(ctx, sending, signed.row, signed.sending, ['api.transfer-sent', 'api.transfer-recorded'])

async function finish(ctx: TxManagerContext, row: Intent, send: () => Promise<unknown>): Promise<Intent> {
  try {
    await send()
    return (await readIntents(ctx.db, 'id = $1 and business_id is not distinct from $2', [row.id, row.businessId]))[0] ?? row
  } catch (error) {
    ctx.log.error({ intent: row.id, chain: row.chain, err: messageOf(error) }, 'a stored transfer was not sent; a worker continues')
    return row
  }
}

/** @throws ApiError 503 if the wait was too long; nothing was done */
function oneAtATime<T>({ ofAddress }: KeySendingContext, { chain, action }: Pick<Intent, 'chain' | 'action'>, work: () => Promise<T>): Promise<T> {
  const askedAt = Date.now()
  return ofAddress(`${chain} ${action.from}`, async () => {
    if (Date.now() - askedAt <= maxWaitMs) return work()
    throw new ApiError(503, 'unavailable', 'Too many transfers of this address are under way', { retryAfterSeconds: 5 })
  })
}

/** Broadcasts, and signs again while the key is here if another transaction has used the nonce. */
async function broadcastAndResign(ctx: KeySendingContext, sending: SendingChain, first: SignedNow, plan: ActionPlan, key: Secret): Promise<void> {
  let current: SignedNow | null = first
  for (let signings = 1; current !== null; signings++) {
    const answer = await broadcastNow(ctx, sending, current)
    if (answer?.status !== 'nonce_used' && answer?.status !== 'nonce_taken') return
    if (signings === maxSignings || !(await nonceIsUsed(ctx, sending, current, Date.now() + resignWithinMs))) return
    const row: Intent = current.row
    current = await oneAtATime(ctx, row, () => resign(ctx, sending, row, plan, key))
  }
}

/**
 * Checks if every node reports without interruption that another transaction in a block used the nonce: one of several nodes behind a URL may not
 * have the block with ours yet. A transaction that only waits with the nonce may still be dropped. Reports that begin before `until` are followed
 * to the end: under load answers are slow, and the key is here only now.
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
    const outcome = await sender.outcome(row.action.from, [{ txId, expiry, nonce: sending.nonce }]).catch((error) => {
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
