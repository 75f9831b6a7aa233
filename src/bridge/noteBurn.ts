import type { FollowedIntent } from '../txmgr/followedIntents.ts'
import type { BridgeTransfer, Unburnt } from './bridgeRow.ts'
import type { BridgeContext } from './context.ts'
import { tryMove } from './moveBridge.ts'

/** @returns null while the burn is in a block */
function unburntOf({ status, settled }: Pick<FollowedIntent, 'status' | 'settled'>): Unburnt | null {
  if (status === 'confirmed') return null
  return settled ? 'lost' : 'taken_back'
}

/**
 * Stores whether the burn of a completed transfer is still in a block. A mint stands without its burn: Circle
 * signs a fast message before the burn is final, and bears the loss.
 * @returns true if it has changed
 */
export async function noteBurn(
  ctx: BridgeContext,
  row: BridgeTransfer,
  burn: FollowedIntent,
): Promise<boolean> {
  const unburnt = unburntOf(burn)
  const sourceTxId = unburnt === null ? burn.txId : row.sourceTxId
  if (unburnt === row.unburnt && sourceTxId === row.sourceTxId) return false
  const stored = await tryMove(ctx, row, { unburnt, sourceTxId, nextInMs: 0 })
  if (!stored) return true
  if (unburnt !== null) ctx.observe(unburnt === 'lost' ? 'burn_lost' : 'taken_back', row)
  if (unburnt === 'lost')
    ctx.log.error(
      { bridge: row.id },
      'the burn of a minted bridge transfer is lost: its USDC is on both chains',
    )
  return true
}
