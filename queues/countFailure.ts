import type { Job } from 'bullmq'
import type { Db } from '../src/platform/db.ts'
import { outboxFailed } from '../src/platform/outbox.ts'

/** Notes on a job's outbox row why it failed, and counts the try where that was its last attempt. What cannot be noted is tried once more. */
export const countFailure =
  (db: Db) =>
  (job: Pick<Job, 'data' | 'finishedOn'> | undefined, error: Error): void => {
    const outboxId = (job?.data as { outboxId?: string } | undefined)?.outboxId
    if (outboxId) outboxFailed(db, outboxId, error.message, Boolean(job?.finishedOn)).catch(() => {})
  }
