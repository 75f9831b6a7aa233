import type { Chain, ConfiguredChain } from '../chains/registry.ts'
import type { ActionPlan, ActionSender } from '../chains/sending.ts'
import { formatUnits } from '../money/amount.ts'
import { planTransfer, presentShortage } from './planTransfer.ts'
import type { WantedTransfer } from './readTransfer.ts'

/** Whole units of the native coin. */
export interface FeeView {
  expected: string
  most: string
  /** Other costs: rent of an account that the transfer opens, the fee for a new account. */
  besides: string
  currency: string
}

export function presentFee(
  { native }: Pick<Chain, 'native'>,
  { fee, otherCosts }: Pick<ActionPlan, 'fee' | 'otherCosts'>,
): FeeView {
  const show = (amount: bigint) => formatUnits(amount, native.decimals)
  return {
    expected: show(fee.expected),
    most: show(fee.max),
    besides: show(otherCosts),
    currency: native.symbol,
  }
}

/**
 * Estimates the cost of a transfer, and what its sender lacks.
 * @throws ApiError 422 with the reason why it could not be made with any funds; 503 `chain_unavailable`
 */
export async function estimateTransfer(
  ctx: { sendingChain(name: string): Promise<{ chain: ConfiguredChain; sender: ActionSender }> },
  wanted: WantedTransfer & { from: string },
) {
  const sending = await ctx.sendingChain(wanted.chain.name)
  const { chain } = sending
  const plan = await planTransfer(sending, { ...wanted.transfer, from: wanted.from })
  return {
    chain: chain.name,
    symbol: wanted.symbol,
    amount: formatUnits(wanted.transfer.amount, wanted.decimals),
    fee: presentFee(chain, plan),
    sufficient: plan.shortages.length === 0,
    missing: plan.shortages.map(presentShortage),
    terms: plan.terms,
  }
}
