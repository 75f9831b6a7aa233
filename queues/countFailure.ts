import type { Job } from 'bullmq'
import type { Db } from '../src/platform/database/db.ts'
import { outboxFailed } from '../src/platform/database/outbox.ts'

/**
 * Stores a failed job's error in its outbox row, and uses up one try after the job's last attempt. If that
 * write fails, the row gets one try more.
 */
export const countFailure =
  (db: Db) =>
  (job: Pick<Job, 'data' | 'finishedOn'> | undefined, error: Error): void => {
    const outboxId = (job?.data as { outboxId?: string } | undefined)?.outboxId
    if (outboxId) outboxFailed(db, outboxId, error.message, Boolean(job?.finishedOn)).catch(() => {})
  }
