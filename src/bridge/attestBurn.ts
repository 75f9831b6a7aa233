import { finality } from '../chains/bridging.ts'
import { type BridgeMessage, decodeMessage, type MessageHex } from '../chains/cctpMessage.ts'
import { transactionId } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { resultOr } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { AttestationsError, type AttestedMessage } from './attestations.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { wrongField } from './checkMessage.ts'
import type { BridgeContext } from './context.ts'
import { holderOf } from './holderOf.ts'
import { later as laterBy, leaseMs, maxRentPauseMs, withoutMessage } from './later.ts'
import { type Move, moveWithin, storeMove } from './moveBridge.ts'
import { requestCircle } from './requestCircle.ts'

/** A step waits so long for its turn at Circle. */
const maxWaitMs = 3000
/** After so many answers with the expired message, Circle gets one more request to sign it again. */
const staleAnswers = 8

/** An answer like the one before is no progress: its pause grows. */
const repeats: ReadonlySet<string | null> = new Set(['expired', 'mint_refused', 'unexpected_message'])

/** So many equal burns are queried in one step. */
const maxEqual = 3

type Attested = AttestedMessage & { message: MessageHex; attestation: MessageHex }

/**
 * Requests the signed message of a burn from Circle. A message that does not match the burn is not stored.
 * @returns the transfer with its message, still claimed, if it can be minted at once
 */
export async function attestBurn(ctx: BridgeContext, row: BridgeTransfer): Promise<BridgeTransfer | null> {
  let txId = row.sourceTxId
  for (let asked = 0; asked < maxEqual && txId !== null; asked++) {
    const found = await ask(ctx, row, txId)
    if (found === null) return null
    const decoded = decodeMessage(found.message)
    if (!decoded || (row.nonce !== null && decoded.nonce !== row.nonce)) return refuse(ctx, row, 'nonce')
    const stored = await storeAttested(ctx, row, found, decoded)
    if (stored !== 'taken') return stored
    // Circle has named another burn's message, of the same fields. That burn's own message is as good, and
    // may be free.
    txId = (await holderOf(ctx.db, row, decoded.nonce))?.sourceTxId ?? null
  }
  return refuse(ctx, row, 'nonce of another transfer')
}

/** A completed transfer waits for the rent of its burn only: Circle may not have its message any more. */
const later = (ctx: BridgeContext, row: BridgeTransfer, delay: string | null): Move =>
  laterBy(ctx, row, delay, row.status === 'completed' ? maxRentPauseMs : undefined)

/** @returns null if there is no message that can be used, and that is stored */
async function ask(ctx: BridgeContext, row: BridgeTransfer, txId: string): Promise<Attested | null> {
  const answered = await resultOr(
    AttestationsError,
    requestCircle(ctx, maxWaitMs, (circle) => circle.messages(row.sourceDomain, txId)),
  )
  const stored = (move: Move) => storeMove(ctx, row, move).then(() => null)
  if (answered instanceof AttestationsError) {
    const { retryAfterSeconds } = answered
    if (retryAfterSeconds !== null) return stored({ nextInMs: retryAfterSeconds * 1000 })
    return stored(later(ctx, row, row.delay ?? 'circle_unavailable'))
  }
  const found = messageOf(answered, row)
  if (typeof found === 'string') return refuse(ctx, row, found)
  if (found?.attestation == null || found.message === null)
    return stored(later(ctx, row, found?.delay ?? null))
  const { message, attestation } = found
  if (message !== row.expiredMessage) return { ...found, message, attestation }
  // Signed again, it is another one.
  const expiredMessage = row.tries % staleAnswers === staleAnswers - 1 ? null : row.expiredMessage
  return stored({ ...later(ctx, row, 'expired'), expiredMessage })
}

/** @returns `taken`: another transfer has the message; null: the transfer is not minted now */
async function storeAttested(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { message, attestation, forwardTxId }: Attested,
  decoded: BridgeMessage,
): Promise<BridgeTransfer | 'taken' | null> {
  const attested = {
    message,
    attestation,
    nonce: decoded.nonce,
    executedSpeed: decoded.executedFinality < finality.standard ? 'fast' : 'standard',
    fee: decoded.feeExecuted,
    forwardTxId: forwardTxId && transactionId(registeredChain(row.destinationChain).family, forwardTxId),
    attestedAt: row.attestedAt ?? new Date(),
    // The rent of its burn may be refused again.
    ...(!repeats.has(row.delay) && row.status !== 'completed' && { delay: null, tries: 0 }),
  } as const
  // Circle mints by itself: that takes a moment. Otherwise the claim goes on.
  const stored = await moveWithin(ctx, row, {
    ...attested,
    nextInMs: row.automatic ? ctx.pollMs : leaseMs,
  }).catch(takenBy)
  // Null: another worker has stored it.
  if (stored === 'taken' || stored === null) return stored
  ctx.observe('attested', row)
  failpoint('bridge.attested')
  // Due: an intent has changed meanwhile, and is read first.
  const isClaimed = stored.nextAt !== null && new Date(stored.nextAt).getTime() > Date.now()
  return row.automatic || !isClaimed ? null : stored
}

/**
 * The unique index finds an equal burn, which is rare: a query of its own would be made for each
 * transfer.
 */
function takenBy(error: { code?: unknown; constraint?: unknown }): 'taken' {
  if (error.code !== '23505' || error.constraint !== 'bridge_transfers_nonce') throw error
  return 'taken'
}

/** Also forgets the nonce that was expected: if the answer before was wrong, the truth has another one. */
async function refuse(ctx: BridgeContext, row: BridgeTransfer, wrong: string): Promise<null> {
  ctx.observe('refused_answer', row)
  ctx.log.error({ bridge: row.id, wrong }, "Circle's answer is not of the burn, and was not used")
  await storeMove(ctx, row, { ...withoutMessage, ...later(ctx, row, 'unexpected_message') })
  return null
}

/**
 * The message of the burn; null while Circle has not one.
 * @returns a text: why the answer cannot be right
 */
function messageOf(
  answered: readonly AttestedMessage[],
  row: BridgeTransfer,
): AttestedMessage | string | null {
  const [first, ...more] = answered
  if (!first) return null
  // Its transaction burns once.
  if (more.length > 0) return 'several messages'
  if (first.message === null) return first
  const decoded = decodeMessage(first.message)
  if (!decoded) return 'message'
  // Until it is signed, Circle may not have filled in all fields.
  return first.attestation === null ? { ...first, message: null } : (wrongField(decoded, row) ?? first)
}
