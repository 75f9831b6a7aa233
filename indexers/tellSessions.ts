import type { Tx } from '../src/platform/db.ts'
import type { JobPayloads } from '../src/platform/jobs.ts'
import { enqueue } from '../src/platform/outbox.ts'

/** Tells sessions, each once, that something about their payments changed. */
export const tellSessions = (tx: Tx, sessionIds: readonly string[], reason: JobPayloads['session-payment']['reason']): Promise<void> =>
  enqueue(
    tx,
    'session-payment',
    [...new Set(sessionIds)].map((sessionId) => ({ sessionId, reason })),
  )
