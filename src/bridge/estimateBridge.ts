import { formatUnits } from '../money/amount.ts'
import { mintRecipientOf } from './burnOf.ts'
import { peekEventAccount } from './eventAccounts.ts'
import { forwardHook } from './forwardHook.ts'
import { planBridge, type QuoteContext, quoteBridge } from './quoteBridge.ts'
import type { WantedBridge } from './readBridgeRequest.ts'
import { usualSeconds } from './usualSeconds.ts'

/**
 * The cost of a transfer, and how long it usually takes.
 * @throws ApiError as a transfer does
 */
export async function estimateBridge(ctx: QuoteContext, wanted: WantedBridge) {
  const { source, destination, amount, speed, automatic, sourceAddress, destinationAddress } = wanted
  const { fee, maxFee, fastAvailable } = await quoteBridge(ctx, wanted)
  const hook = automatic ? forwardHook(destination.actions, destinationAddress) : '0x'
  const mintRecipient = mintRecipientOf(destination, destinationAddress)
  const { domain: destinationDomain } = destination.cctp
  const eventAccount = source.actions.opensEventAccount && { eventAccount: await peekEventAccount(ctx.db) }
  const burn = {
    from: sourceAddress,
    token: source.token,
    amount,
    destinationDomain,
    mintRecipient,
    maxFee,
    speed,
    hook,
    ...eventAccount,
  } as const
  const calls = { approval: source.actions.approval(burn), burn: source.actions.burn(burn) }
  const plan = await planBridge(ctx, source.chain.name, calls)
  const { decimals, symbol: currency } = source.chain.native
  /** With the rent of accounts that the burn opens. */
  const costs = (fee: bigint) => formatUnits(fee + plan.otherCosts, decimals)
  const show = (units: bigint) => formatUnits(units, source.token.decimals)
  return {
    sourceChain: source.chain.name,
    destinationChain: destination.chain.name,
    amount: show(amount),
    speed,
    automatic,
    fee: show(fee),
    maxFee: show(maxFee),
    minReceived: show(amount - maxFee),
    fastAvailable,
    usualSeconds: usualSeconds(source.chain, destination.chain, speed),
    networkCosts: { expected: costs(plan.fee.expected), max: costs(plan.fee.max), currency },
  }
}
