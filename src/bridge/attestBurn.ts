import { finality } from '../chains/bridging.ts'
import { decodeMessage } from '../chains/cctpMessage.ts'
import { transactionId } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { failpoint } from '../platform/failpoints.ts'
import { askCircle } from './askCircle.ts'
import { AttestationsError, type AttestedMessage } from './attestations.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { wrongField } from './checkMessage.ts'
import type { BridgeContext } from './context.ts'
import { isTaken } from './isTaken.ts'
import { later, withoutMessage } from './later.ts'
import { storeMove } from './moveBridge.ts'

/** A step waits so long for its turn at Circle. */
const maxWaitMs = 3000
/** After so many answers with the expired message, Circle is asked once more to sign it again. */
const staleAnswers = 8

/** An answer like the one before is no progress: its pause grows. */
const repeats: ReadonlySet<string | null> = new Set(['expired', 'mint_refused', 'unexpected_message'])

/** Asks Circle for the signed message of a burn. What does not match the burn is not stored. */
export async function attestBurn(ctx: BridgeContext, row: BridgeTransfer): Promise<void> {
  const { tries } = row
  const answered = await askCircle(ctx, maxWaitMs, (circle) => circle.messages(row.sourceDomain, row.sourceTxId ?? '')).catch((error) => {
    if (error instanceof AttestationsError) return error
    throw error
  })
  if (answered instanceof AttestationsError) {
    const { retryAfterSeconds } = answered
    if (retryAfterSeconds !== null) return storeMove(ctx, row, { nextInMs: retryAfterSeconds * 1000 })
    return storeMove(ctx, row, later(ctx, row, row.delay ?? 'circle_unavailable'))
  }
  const found = messageOf(answered, row)
  if (typeof found === 'string') return refuse(ctx, row, found)
  if (found?.attestation == null || found.message === null) return storeMove(ctx, row, later(ctx, row, found?.delay ?? null))
  // Signed again, it is another one.
  if (found.message === row.expiredMessage) {
    const expiredMessage = tries % staleAnswers === staleAnswers - 1 ? null : row.expiredMessage
    return storeMove(ctx, row, { ...later(ctx, row, 'expired'), expiredMessage })
  }
  const decoded = decodeMessage(found.message)
  if (!decoded) return
  const { nonce } = decoded
  if (row.nonce !== null && nonce !== row.nonce) return refuse(ctx, row, 'nonce')
  if (await isTaken(ctx.db, row, nonce)) return refuse(ctx, row, 'nonce of another transfer')
  const attested = {
    message: found.message,
    attestation: found.attestation,
    nonce,
    executedSpeed: decoded.executedFinality < finality.standard ? 'fast' : 'standard',
    fee: decoded.feeExecuted,
    forwardTxId: found.forwardTxId && transactionId(registeredChain(row.destinationChain).family, found.forwardTxId),
    attestedAt: row.attestedAt ?? new Date(),
    ...(!repeats.has(row.delay) && { delay: null, tries: 0 }),
  } as const
  // Circle mints by itself: that takes a moment.
  await storeMove(ctx, row, { ...attested, nextInMs: row.automatic ? ctx.pollMs : 0 })
  ctx.observe('attested', row)
  failpoint('bridge.attested')
}

/** Also forgets the nonce that was expected: if the answer before was wrong, the truth has another one. */
async function refuse(ctx: BridgeContext, row: BridgeTransfer, wrong: string): Promise<void> {
  ctx.observe('refused_answer', row)
  ctx.log.error({ bridge: row.id, wrong }, "Circle's answer is not of the burn, and was not used")
  await storeMove(ctx, row, { ...withoutMessage, ...later(ctx, row, 'unexpected_message') })
}

/**
 * The message of the burn; null while Circle has not one.
 * @returns a text: why the answer cannot be right
 */
function messageOf(answered: readonly AttestedMessage[], row: BridgeTransfer): AttestedMessage | string | null {
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
