import type { Queryable } from '../platform/database/db.ts'

export interface BackupHealth {
  /** When the server last archived its log; null: it archives none itself, as managed ones do. */
  archivedAt: string | null
  /** The newest state that was restored from a backup and found sound; null: none yet. */
  checkedUpTo: string | null
  /** Seconds since either; before the first check, since the first member of a business. */
  archiveSeconds: number
  checkSeconds: number
}

/** As the metrics `backup_archive_age_seconds` and `backup_check_age_seconds`. */
export async function backupHealth(db: Queryable): Promise<BackupHealth> {
  const [row] = await db.query<{ archivedAt: Date | null; checkedUpTo: Date | null; firstAt: Date | null }>(
    `select case current_setting('archive_mode') when 'off' then null
         else coalesce(a.last_archived_time, a.stats_reset, pg_postmaster_start_time()) end as "archivedAt",
       (select max(restored_to) from backup_checks where faults = '{}') as "checkedUpTo",
       (select min(created_at) from members) as "firstAt"
     from pg_stat_archiver a`,
  )
  const { archivedAt = null, checkedUpTo = null, firstAt = null } = row ?? {}
  return {
    archivedAt: archivedAt?.toISOString() ?? null,
    checkedUpTo: checkedUpTo?.toISOString() ?? null,
    archiveSeconds: secondsSince(archivedAt),
    checkSeconds: secondsSince(checkedUpTo ?? firstAt),
  }
}

const secondsSince = (at: Date | null): number =>
  at === null ? 0 : Math.max(0, Math.round((Date.now() - at.getTime()) / 1000))
