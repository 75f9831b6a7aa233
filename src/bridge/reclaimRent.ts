import type { Signed } from '../chains/bridging.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { FollowedIntent } from '../txmgr/followedIntents.ts'
import { insertIntent } from '../txmgr/intents.ts'
import { isOutcome } from '../txmgr/nextState.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import type { BridgeContext, BridgingChain } from './context.ts'
import { later, maxRentPauseMs } from './later.ts'
import { unusedId } from './mintIds.ts'
import { moveBridge, storeMove } from './moveBridge.ts'
import { reclaimIdsOf } from './reclaimIds.ts'
import { sweepMs } from './storeBridge.ts'

const earlyMs = 600_000

/**
 * Returns the rent of a burn's event account to the wallet that paid it, at the cost of that wallet. Safe to
 * repeat: an account that is closed has returned it.
 */
export async function reclaimRent(
  ctx: BridgeContext,
  row: BridgeTransfer,
  reclaim: FollowedIntent | null,
): Promise<void> {
  const { eventAccount, message, attestation } = row
  if (eventAccount === null || message === null || attestation === null)
    return storeMove(ctx, row, { nextInMs: null })
  const source = await ctx.bridging(row.sourceChain)
  if (!source?.reader.reclaimProblem) return storeMove(ctx, row, later(ctx, row, null, maxRentPauseMs))
  const signed = { message, attestation }
  const problem = await source.reader.reclaimProblem(row.sourceAddress, eventAccount, signed)
  if (problem === 'closed') {
    await storeMove(ctx, row, { reclaimedAt: new Date(), nextInMs: null })
    ctx.observe('reclaimed', row)
    return failpoint('bridge.reclaimed')
  }
  if (reclaim && !isOutcome(reclaim.status)) return storeMove(ctx, row, { nextInMs: sweepMs })
  // In a block that is not final yet, or taken back by a fork.
  if (reclaim && !reclaim.settled) return storeMove(ctx, row, { nextInMs: ctx.pollMs })
  if (reclaim) return storeMove(ctx, row, { ...later(ctx, row, null, maxRentPauseMs), reclaimIntentId: null })
  if (problem === 'early') return storeMove(ctx, row, { nextInMs: earlyMs })
  if (problem === null) return createReclaim(ctx, row, source, eventAccount, signed)
  ctx.observe('reclaim_refused', row)
  ctx.log.warn({ bridge: row.id, err: problem.refused }, 'the rent of a burn cannot return yet')
  // Signed by attesters that Circle has replaced since, it is not taken: Circle is queried again.
  await storeMove(ctx, row, { ...later(ctx, row, null, maxRentPauseMs), message: null, attestation: null })
}

async function createReclaim(
  ctx: BridgeContext,
  row: BridgeTransfer,
  { actions, chain }: BridgingChain,
  eventAccount: string,
  signed: Signed,
): Promise<void> {
  const action = actions.reclaim?.(row.sourceAddress, eventAccount, signed)
  if (!action) return
  const stored = await ctx.db.tx(async (tx) => {
    const id = await unusedId(tx, reclaimIdsOf(row.id))
    if (id === undefined) return moveBridge(tx, row, { nextInMs: null }).then(() => 'none left')
    if (!(await moveBridge(tx, row, { reclaimIntentId: id, nextInMs: sweepMs }))) return 'moved'
    const wanted = {
      id,
      businessId: row.businessId,
      purpose: 'bridge-reclaim',
      chain: chain.name,
      signer: 'wallet',
      walletId: row.walletId,
    } as const
    await insertIntent(ctx, tx, { ...wanted, action, symbol: null, decimals: null }, 0, ctx.prover)
    await tx.query("select pg_notify('cowry_intents', '')")
    return 'reclaiming'
  })
  if (stored === 'none left') {
    ctx.observe('reclaim_refused', row)
    ctx.log.error({ bridge: row.id }, 'the rent of a burn was reclaimed too often: it stays where it is')
  }
  if (stored !== 'reclaiming') return
  ctx.observe('reclaiming', row)
  failpoint('bridge.reclaiming')
}
