import { chainLabel } from '../labels.ts'
import type { Day } from './types.ts'

export const paymentsText = (count: number): string =>
  count === 1 ? '1 payment' : `${count.toLocaleString()} payments`

/** `40 USDC on Ethereum`, for each token of each network */
export const tokensText = ({ assets }: Pick<Day, 'assets'>): string[] =>
  assets.map(({ chain, token, tokens }) => `${tokens} ${token} on ${chainLabel(chain)}`)

/** `40 s`, `2 min`, `1 h 5 min` */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}

/** The share of sessions that were paid, of those that ended; rounded down, so that 100 % means all. */
export function shareText({ paid, unpaid }: { paid: number; unpaid: number }): {
  share: string
  note: string
} {
  const ended = paid + unpaid
  if (ended === 0) return { share: '–', note: 'No request has ended yet.' }
  const share = `${Math.floor((100 * paid) / ended)} %`
  return { share, note: `${paid.toLocaleString()} of ${ended.toLocaleString()} requests that ended` }
}

interface Amount {
  chain: string | null
  token: string
  amount: string
}

/** `1.5 ETH (Ethereum), 3 BNB (BNB Smart Chain)` */
export const listOf = (amounts: readonly Amount[]): string =>
  amounts
    .map(({ chain, token, amount }) => `${amount} ${token}${chain === null ? '' : ` (${chainLabel(chain)})`}`)
    .join(', ')
