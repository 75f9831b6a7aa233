import type { HeadSubscription } from '../providers/heads.ts'

/**
 * `slotSubscribe`: tells each slot when it is processed, a moment before it is confirmed, and without its block. So it is a hint that
 * there is something to ask for.
 */
export const newSlots: HeadSubscription = {
  method: 'slotSubscribe',
  params: [],
  headOf: ({ method }) => (method === 'slotNotification' ? null : undefined),
}
