import type { Tone } from '../../ui/Badge.tsx'
import type { Transfer, TransferStatus, TransferToken } from './types.ts'

export const transferStatusLabels: Record<TransferStatus, { label: string; tone: Tone }> = {
  pending: { label: 'On its way', tone: 'wait' },
  confirmed: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

export const transferTokenLabels: Record<TransferToken, string> = {
  native: 'Native coin',
  usdc: 'USDC',
  usdt: 'USDT',
}

const reasons: Partial<Record<string, string>> = {
  held: 'The operator holds it, or the business is suspended',
  cancelling: 'It is being cancelled; it may still arrive',
  waiting_for_trustline: 'It waits until the recipient can hold the token',
  fee_too_high: 'The network asks for too high a fee: it is sent when the fee falls',
  cancelled: 'It was cancelled before it left',
  approval_refused: 'An owner refused it',
  approval_expired: 'No second owner approved it in time',
  approval_void: 'The member who requested or approved it has lost the right to',
  reverted: 'The network took it into a block, and it failed there: only its fee was paid',
  refused: 'The network refused it: nothing left',
  expired: 'It got into no block in time: nothing left',
  sequence_used: 'Another transaction of the address took its place: nothing left',
  given_up: 'The operator has ended it',
  insufficient_balance: 'The wallet no longer held the amount',
  insufficient_native_balance: 'The wallet no longer held enough for the fee',
  recipient_without_trustline: 'The recipient cannot hold the token',
}

/** Why a transfer waits or has failed: in our words, or else in those of the API. */
export function reasonText({ reason, message }: Pick<Transfer, 'reason' | 'message'>): string | null {
  if (reason === null) return null
  return reasons[reason] ?? message ?? reason.replaceAll('_', ' ')
}

/** The state in a few words, for a list. */
export function shortState(transfer: Transfer): { label: string; tone: Tone } {
  const { status, reason, approval } = transfer
  if (status === 'pending' && approval?.state === 'waiting')
    return { label: 'Waits for approval', tone: 'wait' }
  if (status === 'failed' && reason === 'cancelled') return { label: 'Cancelled', tone: 'plain' }
  return transferStatusLabels[status]
}
