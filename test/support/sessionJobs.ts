import type { Db } from '../../src/platform/database/db.ts'
import { enqueue } from '../../src/platform/database/outbox.ts'
import { newId } from '../../src/platform/ids.ts'

/** Writes jobs of sessions that do not exist to the outbox. */
export const addSessionJobs = (db: Pick<Db, 'tx'>, count: number): Promise<void> =>
  db.tx((tx) =>
    enqueue(
      tx,
      'session-payment',
      Array.from({ length: count }, () => ({ sessionId: newId(), reason: 'seen' as const })),
    ),
  )
