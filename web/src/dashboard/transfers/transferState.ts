import type { SessionState } from '../posSessions/sessionState.ts'
import { reasonText } from './transferLabels.ts'
import type { Transfer } from './types.ts'

/** The state of a transfer in words: the large line, and what it means now. */
export function transferState(transfer: Transfer): SessionState {
  const { status, reason } = transfer
  if (status === 'pending') return pendingState(transfer)
  if (status === 'failed')
    return {
      title: reason === 'cancelled' ? 'Cancelled' : 'Failed',
      detail: `${reasonText(transfer) ?? 'Nothing left the wallet'}.`,
      tone: reason === 'cancelled' ? 'plain' : 'bad',
    }
  const { symbol, amount, amountReceived } = transfer
  const kept = keptByToken(transfer)
  const detail =
    kept && amountReceived
      ? `${amountReceived} ${symbol} arrived: the token kept ${kept}.`
      : `${amount} ${symbol} arrived.`
  return { title: 'Sent', detail, tone: 'good' }
}

/** What the token took of the amount; null: nothing, or not known yet. */
export const keptByToken = ({ tokenFee }: Transfer): string | null =>
  tokenFee && tokenFee !== '0' ? tokenFee : null

function pendingState(transfer: Transfer): SessionState {
  const { approval, txHash } = transfer
  const why = reasonText(transfer)
  if (approval?.state === 'waiting')
    return {
      title: 'Waits for approval',
      detail: 'Another owner has to approve it. Nothing leaves before.',
      tone: 'wait',
    }
  if (why !== null)
    return {
      title: transfer.reason === 'cancelling' ? 'Being cancelled' : 'Waits',
      detail: `${why}.`,
      tone: 'wait',
    }
  if (txHash === null) return { title: 'Being sent', detail: 'It is signed in a moment.', tone: 'wait' }
  return { title: 'On its way', detail: 'The network has it; it is not final yet.', tone: 'wait' }
}
