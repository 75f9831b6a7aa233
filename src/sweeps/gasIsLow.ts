import type { SweepingChain, SweepsContext } from './context.ts'
import { lowWater } from './floats.ts'

/**
 * Checks if the treasury's native coin is below its low water: then it pays for no sweep, so that what is
 * left pays what is under way.
 */
export async function gasIsLow(
  ctx: SweepsContext,
  { chain, balances }: SweepingChain,
  treasury: string,
): Promise<boolean> {
  const [balance] = await balances.spendable([treasury])
  const low = await lowWater(ctx.db, chain, chain.native.symbol)
  if (balance === undefined || balance >= low) return false
  ctx.observe('gas_low', chain.name)
  ctx.log.error(
    { chain: chain.name, treasury, balance: String(balance), low: String(low) },
    'the treasury has too little native coin: sweeps wait',
  )
  return true
}
