import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type Notifications = DashboardAnswerOf<'getNotifications'>

interface NotificationChoice {
  kind: Notifications['kinds'][number]
  label: string
  hint: string
}

export const notificationChoices: readonly NotificationChoice[] = [
  { kind: 'paid', label: 'A payment is paid', hint: 'With its amount, label and reference.' },
  {
    kind: 'exception',
    label: 'A payment is not as requested',
    hint: 'Too little or too much came, it came late, or the network took it back.',
  },
  { kind: 'payout_failed', label: 'A payout fails', hint: 'Or the bank returns it.' },
  {
    kind: 'endpoint_failing',
    label: 'A webhook endpoint fails',
    hint: 'Cowry gave up deliveries to it, or paused it.',
  },
]
