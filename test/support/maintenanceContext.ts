import type { MaintenanceContext } from '../../src/capability.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { defaultSettings } from './defaultSettings.ts'

/** The context of maintenance tasks, with default settings. */
export const maintenanceContext = (db: Db, stopping: AbortSignal): MaintenanceContext => ({
  db,
  log: createLog('test', 'silent'),
  settings: defaultSettings,
  openDirect: () =>
    Promise.reject(new Error('only the retention of the audit log connects by itself, and it is not set')),
  stopping,
})
