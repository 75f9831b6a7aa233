import type { Capability } from '../capability.ts'

/**
 * Shows how old the archived log is, and the newest state that a check found sound; the check reads the
 * age of the backup itself. Backups are pgBackRest's (deploy/postgres).
 */
export const backup: Capability = {
  name: 'backup',
  // Written by the operator's command alone.
  tables: { backup_checks: { api: 'select', worker: 'select' } },
  startWorker: async ({ metrics, db }) =>
    (await import('./backupMetrics.ts')).createBackupMetrics(metrics, db),
}
