import { z } from 'zod'
import type { Settings } from '../platform/settings.ts'

export const partnerPaymentSettings = {
  variables: {
    YELLOWCARD_API: z.enum(['send', 'payments']).default('send'),
    YELLOWCARD_SIGNED_PATH: z.enum(['whole', 'short']).default('whole'),
  },
} satisfies Settings
