import { addressCodec } from '../chains/codecs.ts'
import { knownChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import { heldReason } from '../txmgr/hold.ts'
import type { Intent, IntentStatus } from '../txmgr/intents.ts'
import { failureMessage } from './failureMessage.ts'
import type { StoredSide, StoredSwap, SwapFacts } from './storedSwap.ts'

export const swapStatuses = ['pending', 'confirmed', 'failed', 'expired'] as const
export type SwapStatus = (typeof swapStatuses)[number]

/** The status of a swap is that of its own intent. */
export const shownStatus: Record<IntentStatus, SwapStatus> = {
  created: 'pending',
  signed: 'pending',
  broadcast: 'pending',
  unknown: 'pending',
  confirmed: 'confirmed',
  failed: 'failed',
  expired: 'expired',
}

/** A swap as the API and its events show it. */
export type SwapView = ReturnType<typeof presentSwap>

/** Amounts in whole units. */
export function presentSwap({ facts, intent, approvals, isTaken }: StoredSwap) {
  const chain = knownChain(intent.chain)
  if (!chain) throw new Error(`${intent.chain} is no chain`)
  const codec = addressCodec(chain.family)
  const shown = ({ token }: StoredSide) => (token === null ? 'native' : codec.display(token))
  const { sell, buy } = facts
  const status = shownStatus[intent.status]
  const received = receivedBy(facts, intent)
  const all = [...approvals, intent]
  const fee = totalOf(all.map((each) => each.fee))
  return {
    id: intent.id,
    status,
    success:
      isTaken ||
      intent.status === 'broadcast' ||
      intent.status === 'confirmed' ||
      intent.blockHeight !== null,
    txHash: intent.txId,
    approvalTxHash: approvals.at(-1)?.txId ?? null,
    steps: all.map((each, index) => ({
      type: stepType(all.length - 1 - index),
      status: shownStatus[each.status],
      txHash: each.txId,
    })),
    provider: facts.provider,
    chain: intent.chain,
    sellToken: shown(sell),
    sellSymbol: sell.symbol,
    sellAmount: formatUnits(sell.amount, sell.decimals),
    buyToken: shown(buy),
    buySymbol: buy.symbol,
    buyAmount: formatUnits(received ?? buy.amount, buy.decimals),
    minBuyAmount: formatUnits(facts.minBuyAmount, buy.decimals),
    ...(received !== null && { amountReceived: formatUnits(received, buy.decimals) }),
    slippageBps: facts.slippageBps,
    fromAddress: codec.display(intent.action.from),
    toAddress: codec.display(facts.to),
    allowanceLeft: allowanceLeft(facts, status, approvals),
    gasUsed: totalOf(all.map((each) => each.gasUsed))?.toString() ?? null,
    fee: fee === null ? null : formatUnits(fee, chain.native.decimals),
    feeCurrency: chain.native.symbol,
    rent: shownRent(facts, status, chain.native.decimals),
    blockHeight: intent.blockHeight,
    ...reasonOf(facts, intent),
    createdAt: intent.createdAt.toISOString(),
    updatedAt: new Date(Math.max(...all.map((each) => each.updatedAt.getTime()))).toISOString(),
  }
}

/** @param after how many steps follow: of two approvals the first sets the allowance to zero */
function stepType(after: number): 'reset_allowance' | 'approve' | 'swap' {
  if (after === 0) return 'swap'
  return after === 1 ? 'approve' : 'reset_allowance'
}

/** The reason of its end or, while it is pending, of its wait. */
function reasonOf(
  { provider }: SwapFacts,
  { held, reason, message }: Intent,
): Pick<Intent, 'reason' | 'message'> {
  return held
    ? { reason: heldReason, message: heldMessage }
    : { reason, message: failureMessage(provider, message) }
}

const heldMessage =
  'The operator has suspended the business: the swap is sent if it is approved again within ten minutes of the request, and fails otherwise'

/** The sum of what is known; null if nothing is. */
function totalOf(amounts: readonly (bigint | null)[]): bigint | null {
  const known = amounts.filter((each) => each !== null)
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0n)
}

/**
 * Base units that reached the recipient, by the chain's records; null: not known. Of the coin they only have
 * it on Solana, for a swap to oneself.
 */
function receivedBy(
  { buy, to, rent }: SwapFacts,
  { status, action, received, nativeChange }: Intent,
): bigint | null {
  if (status !== 'confirmed') return null
  if (buy.token === null)
    return nativeChange !== null && to === action.from ? nativeChange + (rent ?? 0n) : null
  const flows = received?.filter(({ address, token }) => address === to && token?.contract === buy.token)
  return flows?.reduce((sum, { amount }) => sum + amount, 0n) ?? null
}

/** The exact approval of a swap that did not take place, unless it has failed too. */
function allowanceLeft({ sell }: SwapFacts, status: SwapStatus, approvals: readonly Intent[]): string | null {
  const approval = approvals.at(-1)?.status
  const isOver = status === 'failed' || status === 'expired'
  return isOver && (approval === 'broadcast' || approval === 'confirmed')
    ? formatUnits(sell.amount, sell.decimals)
    : null
}

/** A forecast of the provider until it is confirmed. A swap that did not take place opened no accounts. */
function shownRent({ rent }: SwapFacts, status: SwapStatus, decimals: number): string | null {
  return rent === null || status === 'failed' || status === 'expired' ? null : formatUnits(rent, decimals)
}
