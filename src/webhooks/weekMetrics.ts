import type { Db } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createPartitionMetrics } from '../platform/partitionMetrics.ts'
import { weeklyTables } from './maintain.ts'

/** Weeks of events, deliveries and attempts. */
export function createWeekMetrics(metrics: Metrics, db: Db, retentionDays: number): void {
  createPartitionMetrics(
    metrics,
    db,
    weeklyTables.map((table) => ({ table, each: '7 days', retentionDays: async () => retentionDays })),
  )
}
