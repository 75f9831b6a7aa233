import { positive, type Settings } from '../platform/settings.ts'

export const notificationSettings = {
  variables: {
    NOTIFICATION_SECONDS: positive.max(86_400).default(60),
  },
} satisfies Settings
