import { hosts, positive, type Settings, type SettingValues, url, waits } from '../platform/settings.ts'

const receivers = {
  CAP_DELIVERIES_PER_HOST: positive.default(16),
  WEBHOOK_ALLOW_HOSTS: hosts.default([]),
}

/** Of the api, which checks endpoints. */
export const endpointSettings = { variables: receivers } satisfies Settings

const timing = {
  variables: {
    // The retry schedule: ten attempts over three days. The backoff after each is worked out in schedule.ts.
    WEBHOOK_RETRY_SECONDS: waits.default([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]),
    WEBHOOK_PAUSE_AFTER_SECONDS: positive.default(259_200),
    WEBHOOK_RETENTION_DAYS: positive.default(90),
  },
} satisfies Settings

/** Of the worker, which delivers. */
export const deliverySettings = {
  variables: {
    ...receivers,
    ...timing.variables,
    WEBHOOK_TIMEOUT_MS: positive.default(15_000),
    WEBHOOK_IN_FLIGHT: positive.default(8),
    WEBHOOK_ENDPOINTS_AT_ONCE: positive.default(200),
    WEBHOOK_PROXY_URL: url(['http:']).optional(),
  },
  mistakes: tooShortRetention,
} satisfies Settings

/**
 * Deliveries still retried, or waiting for the owner of a paused endpoint, must not be dropped; the owner has
 * a week more to replay them.
 */
function tooShortRetention(values: Partial<SettingValues<typeof timing>>): string[] {
  const {
    WEBHOOK_RETRY_SECONDS: waits,
    WEBHOOK_PAUSE_AFTER_SECONDS: pauseAfter,
    WEBHOOK_RETENTION_DAYS: kept,
  } = values
  if (!waits || pauseAfter === undefined || kept === undefined) return []
  // Jitter adds up to a fifth to each wait.
  const min = Math.ceil((waits.reduce((sum, wait) => sum + wait, 0) * 1.2 + pauseAfter) / 86_400) + 7
  return kept < min
    ? [
        `WEBHOOK_RETENTION_DAYS must be ${min} or more: WEBHOOK_RETRY_SECONDS, WEBHOOK_PAUSE_AFTER_SECONDS and a week`,
      ]
    : []
}
