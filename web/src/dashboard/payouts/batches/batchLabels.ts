import type { DashboardAnswerOf } from '../../../../../client/index.ts'
import type { Tone } from '../../../ui/Badge.tsx'
import { readable } from '../../books/readable.ts'
import { chainLabel } from '../../labels.ts'
import { payoutStatusLabels } from '../payoutLabels.ts'
import type { PayoutStatus } from '../types.ts'

export type Batch = DashboardAnswerOf<'getPayoutBatchOfBusiness'>
export type Check = DashboardAnswerOf<'checkPayoutBatchOfBusiness'>
type Totals = Batch['totals']

export const batchStatusLabels: Record<Batch['status'], { label: string; tone: Tone }> = {
  awaiting_approval: { label: 'Waiting for approval', tone: 'wait' },
  processing: { label: 'On its way', tone: 'wait' },
  completed: { label: 'Paid', tone: 'good' },
  completed_with_failures: { label: 'Paid in part', tone: 'bad' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}

/** It changes by itself. */
export const isUnderWay = ({ status }: Pick<Batch, 'status'>): boolean =>
  status === 'awaiting_approval' || status === 'processing'

export const takenTexts = ({ taken }: Totals): string[] =>
  taken.map(({ amount, token, chain }) => `${readable(amount).text} ${token} on ${chainLabel(chain)}`)
export const receivedTexts = ({ received }: Totals): string[] =>
  received.map(({ amount, currency }) => `${readable(amount).text} ${currency}`)
export const feeTexts = ({ received }: Totals): string[] =>
  received.map(({ fee, currency }) => `${readable(fee).text} ${currency}`)

/** The states that some of its payouts are in. */
export const countTexts = (counts: Batch['counts']): string[] =>
  (Object.entries(counts) as [PayoutStatus, number][]).flatMap(([status, count]) =>
    count === 0 ? [] : [`${payoutStatusLabels[status].label}: ${count}`],
  )

export const inPayouts = (count: number): string => (count === 1 ? '1 payout' : `${count} payouts`)
export const inDestinations = (count: number): string =>
  count === 1 ? '1 destination' : `${count} destinations`
