import type { WorkerContext } from '../capability.ts'
import { createPartitionMetrics } from '../platform/partitionMetrics.ts'
import { weeklyTables } from './maintain.ts'
import { deliverySettings } from './settings.ts'

/** Weeks of events, deliveries and attempts. */
export function createWeekMetrics({ metrics, db, settings }: Pick<WorkerContext, 'metrics' | 'db' | 'settings'>): void {
  const retentionDays = async () => settings(deliverySettings).WEBHOOK_RETENTION_DAYS
  createPartitionMetrics(
    metrics,
    db,
    weeklyTables.map((table) => ({ table, each: '7 days', retentionDays })),
  )
}
