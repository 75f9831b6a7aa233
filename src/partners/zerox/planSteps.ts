import type { CallsSpec } from '../../chains/action.ts'
import { ProviderError } from '../../chains/chain.ts'
import type { EvmSwapping, TrialCall, TrialResult } from '../../chains/swapping.ts'
import type { PreparedStep } from '../../swaps/provider.ts'

/** Gas of a step that was not tried, because the sender lacks what the swap sells: nothing is signed. */
const unknownGas = 300_000n

/**
 * Plans all steps, after a trial run of all. Those after the first run on a state that does not exist yet:
 * their gas is that of the trial run. Where the sender lacks what it sells, nothing can be tried, and the
 * shortages of the plans show what is missing.
 * @param tryAll runs all steps and checks what they move
 * @returns steps without a shortage only if they were tried
 * @throws ActionRefusedError, ProviderError, and what `tryAll` throws
 */
export async function planSteps(
  chain: Pick<EvmSwapping, 'plan'>,
  actions: readonly CallsSpec[],
  tryAll: () => Promise<(bigint | null)[]>,
): Promise<PreparedStep[]> {
  const isTried = !(await lacksSold(chain, actions))
  const gas = isTried ? await tryAll() : []
  const steps: PreparedStep[] = []
  for (const [index, action] of actions.entries()) {
    const before = steps.reduce((total, { plan }) => total + plan.fee.max, 0n)
    const simulated = index === 0 ? null : (gas[index] ?? unknownGas)
    const plan = await chain.plan(action, { before, simulated })
    steps.push({ purpose: index === actions.length - 1 ? 'swap' : 'swap-approval', action, plan })
  }
  if (!isTried && steps.every(({ plan }) => plan.shortages.length === 0)) {
    throw new ProviderError('the sender got what it sells while the swap was prepared')
  }
  return steps
}

/** The sender lacks the tokens or the coin that the swap itself moves, at any fees. */
async function lacksSold(chain: Pick<EvmSwapping, 'plan'>, actions: readonly CallsSpec[]): Promise<boolean> {
  const swap = actions.at(-1)
  if (swap === undefined) return false
  const { shortages } = await chain.plan(swap, { before: 0n, simulated: unknownGas })
  const value = swap.calls.reduce((total, call) => total + call.value, 0n)
  return shortages.some(({ kind, available }) => kind === 'token' || available < value)
}

/** A refund of gas is at most a fifth of what was used (EIP-3529): this is needed before it. */
const beforeRefund = (gasUsed: bigint): bigint => (gasUsed * 5n + 3n) / 4n
/**
 * A rollup's gas also pays for data, which only 0x's estimate knows. Its estimate counts up to this multiple.
 */
const maxMultiple = 4n

/** The gas of all steps by their trial run; null: not known. @param estimate of the swap itself, by 0x */
export function gasOf(estimate: bigint | null, tried: TrialResult | null): (bigint | null)[] {
  const calls: readonly TrialCall[] = tried?.calls ?? []
  return calls.map(({ gasUsed }, index) => {
    const need = beforeRefund(gasUsed)
    if (index < calls.length - 1 || estimate === null || estimate < need) return need
    return estimate < gasUsed * maxMultiple ? estimate : gasUsed * maxMultiple
  })
}
