import { ProviderError } from '../chains/chain.ts'
import type { TransferIntent, TransferPlan } from '../chains/sending.ts'
import type { OutgoingContext, SendingChain } from '../outgoing/context.ts'
import { deliver } from '../outgoing/deliver.ts'
import { type Outgoing, readOutgoing } from '../outgoing/outgoing.ts'
import { requireNotPaused } from '../outgoing/pause.ts'
import { type SignedNow, signAnew, signNow } from '../outgoing/signNow.ts'
import type { Queryable } from '../platform/db.ts'
import { ApiError, messageOf } from '../platform/errors.ts'
import type { OneByOne } from '../platform/oneByOne.ts'
import type { Secret } from '../platform/secrets.ts'
import { pause } from '../platform/wait.ts'
import { asApiError, planTransfer, requireAffordable, requireSensibleFee } from './planTransfer.ts'
import { presentTransfer, type TransferView } from './presentTransfer.ts'
import type { WantedTransfer } from './readTransfer.ts'

/** While a caller waits, its key can still sign: so often, and each time so long after the last was sent; a worker waits longer than that. */
const [maxSignings, resignWithinMs] = [3, 13_000]
/** So long it must be said, at most, that the first can never come: the key is here for no longer. A worker, which can wait, asks for more. */
const maxGoneMs = 5_000
/** A request waits so long at most for those of its address that came before. */
const maxTurnMs = 20_000

export interface KeySendingContext extends OutgoingContext {
  /** Transfers of one address wait for the same sequence: one at a time in this process, so that they do not take the connections of all others. */
  ofAddress: OneByOne
}

/**
 * Sends with a key that came with the request. The signed bytes are stored before the network hears of them; from then on the transfer
 * goes its way whatever happens to this process.
 * @param remember stores the answer to the request's `Idempotency-Key`, in the transaction of what it answers
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
  const intent: TransferIntent = { ...wanted.intent, from: wanted.from }
  const plan = await planTransfer(sending, intent)
  requireAffordable(plan)
  // Who names a price means it.
  if (intent.gasPrice === null) requireSensibleFee(chain, plan)
  const row = { businessId, purpose: 'transfer', chain: chain.name, signer: 'caller', walletId: null, intent, symbol, decimals } as const
  const sign = () => signNow(ctx, sending, row, plan, key, (tx, stored) => remember(tx, presentTransfer(stored)))
  const signed = await inTurn(ctx, row, sign).catch((error) => {
    throw asApiError(chain.name, error)
  })
  return answerStored(ctx, signed.row, remember, () => send(ctx, sending, signed, plan, key))
}

/** @throws ApiError 503 where it came too late, before anything was done */
function inTurn<T>({ ofAddress }: KeySendingContext, { chain, intent }: Pick<Outgoing, 'chain' | 'intent'>, work: () => Promise<T>): Promise<T> {
  const askedAt = Date.now()
  return ofAddress(`${chain} ${intent.from}`, async () => {
    if (Date.now() - askedAt <= maxTurnMs) return work()
    throw new ApiError(503, 'unavailable', 'Too many transfers of this address are under way', { retryAfterSeconds: 5 })
  })
}

/**
 * What is stored goes its way: whatever fails from then on, the caller is told of the transfer, and not of a failure after which it might
 * send again.
 */
export async function answerStored(
  ctx: OutgoingContext,
  row: Outgoing,
  remember: (db: Queryable, view: TransferView) => Promise<void>,
  send: () => Promise<unknown>,
): Promise<TransferView> {
  try {
    await send()
    const [now] = await readOutgoing(ctx.db, 'id = $1 and business_id = $2', [row.id, row.businessId])
    const view = presentTransfer(now ?? row)
    await remember(ctx.db, view)
    return view
  } catch (error) {
    ctx.log.error({ outgoing: row.id, chain: row.chain, err: messageOf(error) }, 'a transfer is stored, and a worker has to go on with it')
    return presentTransfer(row)
  }
}

/** Sends; and where somebody else used the sequence while this was under way, signs anew as long as the key is here. */
async function send(ctx: KeySendingContext, sending: SendingChain, first: SignedNow, plan: TransferPlan, key: Secret): Promise<void> {
  let current: SignedNow | null = first
  for (let signings = 1; current !== null; signings++) {
    const said = await deliver(ctx, sending, current.row, current.sending, ['api.transfer-sent', 'api.transfer-recorded'])
    if (said?.status !== 'sequence_used' && said?.status !== 'sequence_taken') return
    if (signings === maxSignings || !(await sequenceIsUsed(ctx, sending, current, Date.now() + resignWithinMs))) return
    const row: Outgoing = current.row
    current = await inTurn(ctx, row, () => signAnew(ctx, sending, row, plan, key))
  }
}

/**
 * Whether every node says, and goes on saying, that the sequence was used in a block by something else: one of several nodes behind one
 * name may not have the block yet that has ours. What merely waits with it may still go. Nodes that say it before `until` are heard to the
 * end: under load an answer takes long, and the key is here only now.
 */
async function sequenceIsUsed(
  { goneMs }: Pick<OutgoingContext, 'goneMs'>,
  { sender }: SendingChain,
  { row, sending }: { row: Outgoing; sending: SignedNow['sending'] },
  until: number,
): Promise<boolean> {
  let since: number | null = null
  while (Date.now() < (since === null ? until : since + 2 * maxGoneMs)) {
    const { txId, expiry } = sending.signed
    const outcome = await sender.outcome(row.intent.from, [{ txId, expiry, sequence: sending.sequence }]).catch((error) => {
      if (error instanceof ProviderError) return null
      throw error
    })
    if (outcome?.status === 'included') return false
    if (outcome?.status === 'gone' && outcome.standing !== 'seen') {
      if (outcome.reason !== 'sequence_used') return false
      // Deep enough that no fork brings the first one back beside the second.
      since ??= Date.now()
      if (Date.now() - since >= Math.min(goneMs, maxGoneMs)) return true
    } else if (outcome) {
      since = null
    }
    await pause(250)
  }
  return false
}
