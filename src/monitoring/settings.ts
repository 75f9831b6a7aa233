import { positive, type Settings } from '../platform/settings.ts'

const limits = {
  BULK_CALLS_AT_ONCE: positive.default(2),
  CAP_MONITORED_ADDRESSES: positive.default(100_000),
}

export const monitoringSettings = {
  api: { variables: { ...limits, MONITORING_IMPORT_BLOCKS: positive.default(100_000) } },
  worker: { variables: limits },
} satisfies Record<string, Settings>
