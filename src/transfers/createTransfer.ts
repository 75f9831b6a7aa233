import { ProviderError } from '../chains/chain.ts'
import type { TransferPlan, TransferSpec } from '../chains/sending.ts'
import type { Queryable } from '../platform/db.ts'
import { ApiError, messageOf } from '../platform/errors.ts'
import type { OneByOne } from '../platform/oneByOne.ts'
import type { Secret } from '../platform/secrets.ts'
import { pause } from '../platform/wait.ts'
import { broadcastAttempt } from '../txmgr/broadcastAttempt.ts'
import type { SendingChain, TxManagerContext } from '../txmgr/context.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import { requireNotPaused } from '../txmgr/pause.ts'
import { resign, type SignedNow, signNow } from '../txmgr/signNow.ts'
import { asApiError, planTransfer, requireAffordable, requireSensibleFee } from './planTransfer.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'
import type { WantedTransfer } from './readTransfer.ts'

/** While the request waits, its key can sign again: this often, within this time after each send. A worker takes over later than that. */
const [maxSignings, resignWithinMs] = [3, 13_000]
/** Caps how long nodes must report the attempt as unminable while the request waits. A worker asks for longer. */
const maxGoneMs = 5_000
/** How long a request may wait for earlier ones of its address. */
const maxTurnMs = 20_000

export interface KeySendingContext extends TxManagerContext {
  /** Runs transfers of one address one at a time in this process: they wait for the same nonce, and would use up the database connections. */
  ofAddress: OneByOne
}

/**
 * Sends with a key from the request. The signed bytes are stored before they are broadcast; from then on a worker can finish the transfer.
 * @param remember stores the answer for the request's `Idempotency-Key`, in the same transaction
 * @throws ApiError 422 with the reason why nothing was sent; 503
 */
export async function createTransfer(
  ctx: KeySendingContext,
  wanted: WantedTransfer & { businessId: string; from: string; key: Secret },
  remember: (db: Queryable, view: TransferView) => Promise<void>,
): Promise<TransferView> {
  const { chain, businessId, key, symbol, decimals } = wanted
  await requireNotPaused(ctx.db, chain.name)
  const sending = await ctx.sendingChain(chain.name)
  const transfer: TransferSpec = { ...wanted.transfer, from: wanted.from }
  const plan = await planTransfer(sending, transfer)
  requireAffordable(plan)
  // A price that the caller names is not checked.
  if (transfer.gasPrice === null) requireSensibleFee(chain, plan)
  const row = { businessId, purpose: 'transfer', chain: chain.name, signer: 'caller', walletId: null, transfer, symbol, decimals } as const
  const sign = () => signNow(ctx, sending, row, plan, key, (tx, stored) => remember(tx, presentTransfer(stored)))
  const signed = await oneAtATime(ctx, row, sign).catch((error) => {
    throw asApiError(chain.name, error)
  })
  return answerStored(ctx, signed.row, remember, () => send(ctx, sending, signed, plan, key))
}

/** @throws ApiError 503 if the wait was too long; nothing was done */
function oneAtATime<T>(
  { ofAddress }: KeySendingContext,
  { chain, transfer }: Pick<Intent, 'chain' | 'transfer'>,
  work: () => Promise<T>,
): Promise<T> {
  const askedAt = Date.now()
  return ofAddress(`${chain} ${transfer.from}`, async () => {
    if (Date.now() - askedAt <= maxTurnMs) return work()
    throw new ApiError(503, 'unavailable', 'Too many transfers of this address are under way', { retryAfterSeconds: 5 })
  })
}

/** Answers with the stored transfer even if sending fails: after an error the caller might send it again, although a worker still sends this one. */
export async function answerStored(
  ctx: TxManagerContext,
  row: Intent,
  remember: (db: Queryable, view: TransferView) => Promise<void>,
  send: () => Promise<unknown>,
): Promise<TransferView> {
  try {
    await send()
    const [now] = await readIntents(ctx.db, 'id = $1 and business_id = $2', [row.id, row.businessId])
    const view = presentTransfer(now ?? row)
    await remember(ctx.db, view)
    return view
  } catch (error) {
    ctx.log.error({ intent: row.id, chain: row.chain, err: messageOf(error) }, 'a stored transfer was not sent; a worker continues')
    return presentTransfer(row)
  }
}

/** Sends, and signs again while the key is here if another transaction has used the nonce. */
async function send(ctx: KeySendingContext, sending: SendingChain, first: SignedNow, plan: TransferPlan, key: Secret): Promise<void> {
  let current: SignedNow | null = first
  for (let signings = 1; current !== null; signings++) {
    const said = await broadcastAttempt(ctx, sending, current.row, current.sending, ['api.transfer-sent', 'api.transfer-recorded'])
    if (said?.status !== 'nonce_used' && said?.status !== 'nonce_taken') return
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
  { row, sending }: { row: Intent; sending: SignedNow['sending'] },
  until: number,
): Promise<boolean> {
  let since: number | null = null
  while (Date.now() < (since === null ? until : since + 2 * maxGoneMs)) {
    const { txId, expiry } = sending.signed
    const outcome = await sender.outcome(row.transfer.from, [{ txId, expiry, nonce: sending.nonce }]).catch((error) => {
      if (error instanceof ProviderError) return null
      throw error
    })
    if (outcome?.status === 'included') return false
    if (outcome?.status === 'unminable' && outcome.standing !== 'seen') {
      if (outcome.reason !== 'sequence_used') return false
      // Deep enough that no reorg brings the first attempt back next to the second.
      since ??= Date.now()
      if (Date.now() - since >= Math.min(unminableMs, maxGoneMs)) return true
    } else if (outcome) {
      since = null
    }
    await pause(250)
  }
  return false
}
