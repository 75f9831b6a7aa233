import type { Db } from '../platform/database/db.ts'
import { createPartitionMetrics } from '../platform/database/partitionMetrics.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { weeklyTables } from './maintain.ts'

/** Weeks of events, deliveries and attempts. */
export function createWeekMetrics(metrics: Metrics, db: Db, retentionDays: number): void {
  createPartitionMetrics(
    metrics,
    db,
    weeklyTables.map((table) => ({ table, each: '7 days', retentionDays: async () => retentionDays })),
  )
}
