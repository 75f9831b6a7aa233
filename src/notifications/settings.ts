import { type Settings, waitsAfter } from '../platform/settings.ts'

export const notificationSettings = {
  variables: {
    NOTIFICATION_SECONDS: waitsAfter.default([300, 900, 3600]),
  },
} satisfies Settings
