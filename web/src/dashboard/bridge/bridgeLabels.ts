import type { Tone } from '../../ui/Badge.tsx'
import { chainChoices } from '../labels.ts'
import type { BridgeStatus, BridgeTransfer } from './types.ts'

export const bridgeStatusLabels: Record<BridgeStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Being sent', tone: 'wait' },
  in_progress: { label: 'On its way', tone: 'wait' },
  completed: { label: 'Arrived', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

const withoutBridge = ['bsc', 'tron', 'stellar']

/** Networks with a bridge. */
export const bridgeChains = chainChoices.filter(({ value }) => !withoutBridge.includes(value))

export const speedLabels: Record<BridgeTransfer['speed'], string> = { standard: 'Standard', fast: 'Fast' }

const delays: Record<string, string | undefined> = {
  awaiting_approval: 'A second owner has to approve it',
  burn_unsettled: 'Its transaction was refused, and may still be mined',
  burn_unknown: 'Another transaction of the wallet was mined in its place: the operator checks it',
  insufficient_fee: 'Its fee was too low for a fast transfer: it goes on as a standard one',
  amount_above_max: 'It is too large for a fast transfer: it goes on as a standard one',
  insufficient_allowance_available:
    'Circle makes no fast transfers at the moment: it goes on as a standard one',
  expired: 'Its signature had expired: Circle signs it again',
  unexpected_message: 'Circle’s answer was of another transfer and was not used: the operator is alarmed',
  mint_refused: 'The destination does not mint it yet: the operator is alarmed',
}

/** The reason as text, or as it is if it is newer than this page. */
export const delayLabels = (delay: string): string => delays[delay] ?? delay

/** A usual time as text. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `About ${seconds} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes === 1 ? 'About a minute' : `About ${minutes} minutes`
}
