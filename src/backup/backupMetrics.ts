import type { Queryable } from '../platform/database/db.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'

export function createBackupMetrics(metrics: Metrics, db: Queryable): void {
  metrics.collected(
    'backup_archive_age_seconds',
    'Time since the server last archived write-ahead log; 0 where it archives none itself, as managed ones do',
    [],
    async (gauge) => {
      // Statistics are reset when the server is made, and after a crash.
      const [row] = await db.query<{ age: number }>(
        `select case current_setting('archive_mode') when 'off' then 0
           else extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset, pg_postmaster_start_time()))::float8 end as age
         from pg_stat_archiver`,
      )
      gauge.set(row?.age ?? 0)
    },
  )
  metrics.collected(
    'backup_check_age_seconds',
    'Age of the newest state that was restored from a backup and found sound; before the first, of the first member of a business',
    [],
    async (gauge) => {
      const [row] = await db.query<{ age: number | null }>(
        `select extract(epoch from clock_timestamp() - coalesce(
           (select max(restored_to) from backup_checks where faults = '{}'), (select min(created_at) from members)))::float8 as age`,
      )
      gauge.set(row?.age ?? 0)
    },
  )
}
