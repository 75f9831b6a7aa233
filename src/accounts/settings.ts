import { z } from 'zod'
import { positive, type Settings } from '../platform/settings.ts'

/** Of the api, which signs people in. */
export const accountSettings = {
  variables: {
    REQUIRE_SECOND_FACTOR: z.enum(['none', 'operators', 'owners']).default('none'),
    SIGNING_KEY_DAYS: positive.default(30),
  },
} satisfies Settings
