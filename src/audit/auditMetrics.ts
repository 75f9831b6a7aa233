import type { Db } from '../platform/database/db.ts'
import { createPartitionMetrics } from '../platform/database/partitionMetrics.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { strayEntries } from './strayEntries.ts'

/** Months of the audit log. */
export function createAuditMetrics(metrics: Metrics, db: Db): void {
  const retentionDays = async () =>
    (await db.query<{ days: number }>('select days from audit_retention'))[0]?.days ?? null
  createPartitionMetrics(metrics, db, [{ table: 'audit_log', each: '1 month', retentionDays }])
  metrics.collected(
    'audit_stray_rows',
    'Entries of the audit log after its last month: should be 0',
    [],
    async (gauge) => gauge.set(await strayEntries(db)),
  )
}
