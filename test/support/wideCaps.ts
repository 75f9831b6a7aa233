import type { MonitoringContext } from '../../src/monitoring/monitorAddresses.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { type Caps, capNames } from '../../src/rateLimits/caps.ts'

/** Caps that no suite reaches. */
export const wideCaps = Object.fromEntries(capNames.map((name) => [name, 1_000_000_000])) as Caps

/** The context of monitoring functions. */
export const monitoringContext = (db: ModelDb, importBlocks = 1000): MonitoringContext => ({
  db,
  importBlocks,
  caps: wideCaps,
  bulkCallsAtOnce: 2,
  countImport: async (_businessId, cost) => ({ cost, giveBack: async () => {} }),
})
