import { positive, type Settings } from '../platform/settings.ts'

/** Of the api, where requests wait for events. */
export const eventSettings = {
  variables: {
    EVENT_WAITERS: positive.default(500),
    EVENT_WAITERS_PER_BUSINESS: positive.default(10),
    EVENT_STREAM_SECONDS: positive.default(600),
  },
} satisfies Settings
