import type { BridgeTransfer } from './bridgeRow.ts'
import type { BridgeContext } from './context.ts'
import type { Move } from './moveBridge.ts'

/** A claim: longer than a step takes; then another worker takes over from one that died. */
export const leaseMs = 30_000
const maxPauseMs = 300_000
/** Rent that cannot return yet: nothing waits for it. */
export const maxRentPauseMs = 86_400_000

/** The pause grows with each try: what is late may be late by hours. */
export const pauseAfter = (ctx: Pick<BridgeContext, 'pollMs'>, tries: number, max = maxPauseMs): number =>
  Math.min(ctx.pollMs * 2 ** Math.min(tries, 13), max)

/** Tries again later. */
export const later = (
  ctx: Pick<BridgeContext, 'pollMs'>,
  { tries }: Pick<BridgeTransfer, 'tries'>,
  delay: string | null,
  max = maxPauseMs,
): Move => ({
  delay,
  tries: tries + 1,
  nextInMs: pauseAfter(ctx, tries, max),
})

/** Circle's message is not used: it is requested again. */
export const withoutMessage = {
  message: null,
  attestation: null,
  nonce: null,
  forwardTxId: null,
  expiredMessage: null,
  mintCursor: null,
} as const
