import type { Tone } from '../../ui/Badge.tsx'
import type { Swap, SwapItem, SwapStatus } from './types.ts'

export const swapStatusLabels: Record<SwapStatus, { label: string; tone: Tone }> = {
  pending: { label: 'On its way', tone: 'wait' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  expired: { label: 'Expired', tone: 'plain' },
}

export const swapStepNames: Record<Swap['steps'][number]['type'], string> = {
  reset_allowance: 'Allowance to zero',
  approve: 'Approval',
  swap: 'Swap',
}

const reasons: Record<string, string | undefined> = {
  reverted:
    'It was in a block and failed there, for instance because it would have bought less than the minimum',
  step_failed: 'Its approval failed, so the swap was not sent',
  refused: 'No node accepted it',
  expired: 'It was in no block in time',
  stopped: 'It was not sent in time',
  held: 'It waits: sending is on hold',
  sequence_used: 'Another transaction of the address used its nonce',
}

/** The reason as text, or as it is if it is newer than this page. */
export const swapReasonLabels = (reason: string): string => reasons[reason] ?? reason

export const providerNames: Record<Swap['provider'], string> = { '0x': '0x', jupiter: 'Jupiter' }

/** What arrived is not known of the coin of an EVM chain: the amount is as quoted then. */
export const boughtLabel = ({
  status,
  amountReceived,
}: {
  status: SwapStatus
  amountReceived?: string | undefined
}): string => {
  if (status !== 'confirmed') return 'Buys, as quoted'
  return amountReceived === undefined ? 'Bought, as quoted' : 'Bought'
}

type Side = Pick<SwapItem, 'sellToken' | 'sellSymbol' | 'buyToken' | 'buySymbol' | 'feeCurrency'>

const nameOf = (token: string, symbol: string | null, coin: string): string => {
  if (token === 'native') return coin
  return symbol ?? `${token.slice(0, 6)}…${token.slice(-4)}`
}

/** A token by the name that it gives itself, which may be anything, or by its address. */
export const soldName = ({ sellToken, sellSymbol, feeCurrency }: Side): string =>
  nameOf(sellToken, sellSymbol, feeCurrency)
export const boughtName = ({ buyToken, buySymbol, feeCurrency }: Side): string =>
  nameOf(buyToken, buySymbol, feeCurrency)
