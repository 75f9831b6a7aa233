import type { MessageHex } from '../chains/cctpMessage.ts'
import type { FollowedIntent } from '../txmgr/followedIntents.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import type { BridgeContext } from './context.ts'
import { later } from './later.ts'
import { storeMove } from './moveBridge.ts'
import type { NextStep } from './nextBridge.ts'
import { settleMint } from './settleMint.ts'

/** Steps of a transfer with a known message that do not read its destination by themselves. */
export const mayBeMinted = (next: NextStep): boolean =>
  next.act === 'fail' || next.act === 'attest' || (next.act === 'wait' && next.delay === 'burn_unknown')

/**
 * Checks if the message of a burn that a fork has taken back was minted before: a fast message is signed
 * before its burn is final. Such a transfer is completed, and never fails.
 * @param isEnd it would fail otherwise
 * @returns true if this was its step
 */
export async function mintedBefore(
  ctx: BridgeContext,
  row: BridgeTransfer,
  nonce: MessageHex,
  burn: FollowedIntent,
  isEnd: boolean,
): Promise<boolean> {
  const destination = await ctx.bridging(row.destinationChain)
  if (!destination) {
    await storeMove(ctx, row, later(ctx, row, 'destination_not_configured'))
    return true
  }
  const used = await destination.reader.usedIn(nonce)
  if (used === 'nowhere') {
    if (!isEnd || (await destination.reader.isUnused(nonce))) return false
    // One node may lag, or be wrong: a transfer that has failed is not checked again.
    await storeMove(ctx, row, later(ctx, row, row.delay))
    return true
  }
  if (used === 'confirmed') await settleMint(ctx, row, destination, burn, null)
  else await storeMove(ctx, row, { nextInMs: Math.max(destination.chain.blockMs, 1000) })
  return true
}
