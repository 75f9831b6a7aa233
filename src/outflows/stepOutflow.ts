import { ProviderError } from '../chains/chain.ts'
import { PartnerError } from '../partnerPayments/partnerError.ts'
import { withClaim } from '../platform/database/withClaim.ts'
import { messageOf } from '../platform/errors.ts'
import { bankLeg } from './bank/bankLeg.ts'
import { checkAfterRestore } from './checkAfterRestore.ts'
import type { OutflowsContext } from './context.ts'
import { endClaim } from './ends/endClaim.ts'
import { endReversed } from './ends/endReversed.ts'
import { RestoreUnsettledError } from './ends/mayRelease.ts'
import { followApproval } from './followApproval.ts'
import { followEnded } from './followEnded.ts'
import { isInDoubt } from './inDoubt.ts'
import type { Leg } from './leg.ts'
import { type Outflow, readOutflows } from './outflow.ts'
import { reversedReason } from './outflowSource.ts'
import { settleReversed } from './settleReversed.ts'
import { stopOutflow } from './stopOutflow.ts'
import { waitReason } from './waitReason.ts'
import { walletLeg } from './walletLeg.ts'

/** Longer than a step takes; then another worker takes over from one that died. */
const leaseMs = 60_000
const retryMs = 5000
/** Between two tries to give money back after a restore. */
const unsettledMs = 30_000

/** Takes an outflow one step further. Safe to repeat and to run concurrently. */
export async function stepOutflow(ctx: OutflowsContext, id: string): Promise<void> {
  await withClaim(ctx.db, { table: 'outflows', at: 'next_at', key: { id }, leaseMs }, async ({ release }) => {
    const [outflow] = await readOutflows(ctx.db, 'id = $1', [id])
    if (!outflow) return
    try {
      await step(ctx, outflow)
    } catch (error) {
      if (error instanceof RestoreUnsettledError) {
        ctx.observe('waiting', outflow.kind)
        await release(ctx.pollMs ?? unsettledMs)
        return
      }
      if (!(error instanceof ProviderError || error instanceof PartnerError)) throw error
      ctx.log.warn(
        { outflow: id, err: messageOf(error) },
        'chain or partner does not answer; the outflow goes on later',
      )
      await release(ctx.pollMs ?? retryMs)
    }
  })
}

const legOf = ({ wallet }: Outflow): Leg => (wallet === null ? bankLeg : walletLeg)

async function step(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  if (outflow.byHand !== null) return followEnded(ctx, outflow)
  if (await checkAfterRestore(ctx, outflow)) return
  const waits = outflow.status === 'awaiting_claim' || outflow.status === 'awaiting_approval'
  if (waits && (await endReversed(ctx, outflow))) return
  if (outflow.status === 'awaiting_claim') return endClaim(ctx, outflow)
  if (outflow.status === 'awaiting_approval') return followApproval(ctx, outflow)
  if (outflow.status !== 'pending') return legOf(outflow).follow(ctx, outflow)
  if (outflow.releaseWaits && isInDoubt(outflow))
    return stopOutflow(ctx, outflow, { reason: reversedReason, nextInMs: 0, ends: 'payment_reversed' })
  if (outflow.releaseWaits) return settleReversed(ctx, outflow)
  const stop = await waitReason(ctx, outflow)
  if (stop === null) return legOf(outflow).send(ctx, outflow)
  await stopOutflow(ctx, outflow, stop)
}
