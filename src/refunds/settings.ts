import { positive, type Settings } from '../platform/settings.ts'

export const refundSettings = {
  variables: { REFUND_CLAIM_DAYS: positive.max(90).default(7) },
} satisfies Settings
