import type { HeadSubscription } from '../../providers/heads.ts'

/**
 * `slotSubscribe` announces each slot when it is processed, a moment before it is confirmed, and without its
 * block: only a hint to poll.
 */
export const newSlots: HeadSubscription = {
  method: 'slotSubscribe',
  params: [],
  headOf: ({ method }) => (method === 'slotNotification' ? null : undefined),
}
