import { failpoint } from '../platform/failpoints.ts'
import type { SweepingChain, SweepsContext } from './context.ts'
import { holdingsAt } from './holdings.ts'
import { storeIntent } from './storeIntent.ts'
import { storeStatus } from './storeStatus.ts'
import { lockClaimed, type Sweep } from './sweepRow.ts'

/** The address itself sends, and pays the fee. */
export async function sendFromDeposit(
  ctx: SweepsContext,
  sweeping: SweepingChain,
  sweep: Sweep,
  treasury: string,
): Promise<void> {
  const { actions, chain } = sweeping
  const sent =
    sweep.token === null
      ? await wholeNative(ctx, sweeping, sweep, treasury)
      : { amount: sweep.amount, gasPrice: null, gasLimit: null }
  if (sent === null)
    return storeStatus(ctx, sweeping, sweep, {
      status: 'failed',
      act: 'wait',
      tries: sweep.tries,
      reason: 'fee_too_high',
    })
  const stored = await ctx.db.tx(async (tx) => {
    if (!(await lockClaimed(tx, sweep))) return false
    const item = { address: sweep.address, token: sweep.token, amount: sent.amount, authorization: null }
    const action = actions.action([item], treasury, sent)
    // The amount of the native coin follows from its price, which the intent keeps.
    await tx.query('update sweeps set amount = $2 where id = $1', [sweep.id, sent.amount.toString()])
    await storeIntent(ctx, tx, [sweep], chain, { purpose: 'sweep', signer: 'deposit', action })
    return true
  })
  if (!stored) return
  ctx.observe('sent', chain.name)
  failpoint('sweeps.sent')
}

async function wholeNative(
  ctx: SweepsContext,
  sweeping: SweepingChain,
  { address }: Sweep,
  treasury: string,
) {
  const native = (await holdingsAt(ctx.db, sweeping, address)).find(({ token }) => token === null)
  const amount =
    native?.onChain && native.onChain < native.expected ? native.onChain : (native?.expected ?? 0n)
  return sweeping.reader.wholeNative(address, treasury, amount)
}
