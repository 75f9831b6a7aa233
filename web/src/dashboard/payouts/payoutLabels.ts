import type { Tone } from '../../ui/Badge.tsx'
import { chainLabel } from '../labels.ts'
import type { Destination, DestinationStatus, Payout, PayoutStatus } from './types.ts'

export const statusLabels: Record<DestinationStatus, { label: string; tone: Tone }> = {
  awaiting_approval: { label: 'Waiting for approval', tone: 'wait' },
  cooling_off: { label: 'Cooling off', tone: 'wait' },
  usable: { label: 'Usable', tone: 'good' },
  archived: { label: 'Archived', tone: 'plain' },
}

export const payoutStatusLabels: Record<PayoutStatus, { label: string; tone: Tone }> = {
  awaiting_approval: { label: 'Waiting for approval', tone: 'wait' },
  pending: { label: 'Waiting to be sent', tone: 'wait' },
  processing: { label: 'On its way', tone: 'wait' },
  unknown: { label: 'Not known', tone: 'bad' },
  completed: { label: 'Paid', tone: 'good' },
  returned: { label: 'Returned by the bank', tone: 'bad' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}

/** Nothing can have left yet. */
export const isOpen = ({ status }: Pick<Payout, 'status'>): boolean =>
  status === 'awaiting_approval' || status === 'pending'

/** The account or the address, in a line. */
export const describeDestination = ({
  bankName,
  accountNumber,
  chain,
  address,
}: Pick<Destination, 'bankName' | 'accountNumber' | 'chain' | 'address'>): string =>
  chain === null ? `${bankName ?? ''} ${accountNumber ?? ''}` : `${address ?? ''} on ${chainLabel(chain)}`

export function inHours(hours: number): string {
  if (hours === 0) return 'None'
  return hours === 1 ? '1 hour' : `${hours} hours`
}

const regions = new Intl.DisplayNames(undefined, { type: 'region' })

/** The name of a country, or its code if the browser does not know it. */
export function countryName(code: string): string {
  try {
    return regions.of(code) ?? code
  } catch {
    return code
  }
}
