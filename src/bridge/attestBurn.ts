import { finality } from '../chains/bridging.ts'
import { decodeMessage } from '../chains/cctpMessage.ts'
import { failpoint } from '../platform/failpoints.ts'
import { askCircle } from './askCircle.ts'
import { AttestationsError, type AttestedMessage } from './attestations.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { wrongField } from './checkMessage.ts'
import type { BridgeContext } from './context.ts'
import { type Move, moveBridge } from './moveBridge.ts'

/** A step waits so long for its turn at Circle. */
const maxWaitMs = 3000
const maxPauseMs = 300_000

/** The pause grows with each question: an attestation that is late may be late by hours. */
export const pauseAfter = (ctx: Pick<BridgeContext, 'pollMs'>, tries: number): number => Math.min(ctx.pollMs * 2 ** Math.min(tries, 10), maxPauseMs)

/** Asks Circle for the signed message of a burn. What does not match the burn is not stored. */
export async function attestBurn(ctx: BridgeContext, row: BridgeTransfer): Promise<void> {
  const { tries } = row
  const again = (more: Partial<Move>): Move => ({ tries: tries + 1, nextInMs: pauseAfter(ctx, tries), ...more })
  const answered = await askCircle(ctx, maxWaitMs, (circle) => circle.messages(row.sourceDomain, row.sourceTxId ?? '')).catch((error) => {
    if (error instanceof AttestationsError) return error
    throw error
  })
  if (answered instanceof AttestationsError) {
    const { retryAfterSeconds } = answered
    return store(ctx, row, again(retryAfterSeconds === null ? {} : { tries, nextInMs: retryAfterSeconds * 1000 }))
  }
  const found = messageOf(answered, row)
  if (typeof found === 'string') {
    ctx.observe('refused_answer', row)
    ctx.log.error({ bridge: row.id, wrong: found }, "Circle's answer is not of the burn, and was not used")
    return store(ctx, row, again({ delay: 'unexpected_message' }))
  }
  if (found?.attestation == null || found.message === null) return store(ctx, row, again({ delay: found?.delay ?? null }))
  const decoded = decodeMessage(found.message)
  if (!decoded) return
  const attested = {
    message: found.message,
    attestation: found.attestation,
    nonce: decoded.nonce,
    executedSpeed: decoded.executedFinality < finality.standard ? 'fast' : 'standard',
    fee: decoded.feeExecuted,
    forwardTxId: found.forwardTxId,
    delay: null,
  } as const
  // Circle mints by itself: that takes a moment.
  await store(ctx, row, { ...attested, tries: 0, nextInMs: row.automatic ? ctx.pollMs : 0 })
  ctx.observe('attested', row)
  failpoint('bridge.attested')
}

/**
 * The message of the burn; null while there is none.
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

async function store(ctx: BridgeContext, row: BridgeTransfer, move: Move): Promise<void> {
  await ctx.db.tx((tx) => moveBridge(tx, row, move))
}
