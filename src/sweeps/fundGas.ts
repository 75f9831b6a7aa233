import { failpoint } from '../platform/failpoints.ts'
import type { SweepingChain, SweepsContext } from './context.ts'
import { gasBudget, gasSigned } from './gasPurpose.ts'
import { storeIntent } from './storeIntent.ts'
import { lockClaimed, type Sweep } from './sweepRow.ts'

/**
 * Sends the gas that the address of a sweep lacks from the treasury; waits while the day's gas is used up.
 */
export async function fundGas(
  ctx: SweepsContext,
  { chain }: SweepingChain,
  sweep: Sweep,
  treasury: string,
  lacking: bigint,
): Promise<void> {
  if ((await gasSigned(ctx.db, chain.name)) + lacking > gasBudget(chain)) {
    ctx.log.warn(
      { sweep: sweep.id, chain: chain.name },
      "the day's gas for sweeps is used up: the sweep waits",
    )
    return
  }
  const stored = await ctx.db.tx(async (tx) => {
    if (!(await lockClaimed(tx, sweep))) return false
    const action = {
      kind: 'transfer' as const,
      from: treasury,
      to: sweep.address,
      token: null,
      amount: lacking,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    }
    await storeIntent(ctx, tx, [sweep], chain, { purpose: 'gas', signer: 'treasury', action })
    return true
  })
  if (!stored) return
  ctx.observe('funded', chain.name)
  failpoint('sweeps.funded')
}
