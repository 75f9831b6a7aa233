import type { Job } from 'bullmq'
import type { Chain } from '../../src/chains/registry.ts'
import type { Db } from '../../src/platform/db.ts'
import type { OutboxJob } from '../../src/platform/jobs.ts'
import type { Log } from '../../src/platform/log.ts'
import { settleSession } from '../../src/sessions/settleSession.ts'

/** Settles a session after its payments changed or its time ran out. */
export function sessionPaymentWorker(ctx: { db: Db; chains: readonly Chain[]; log: Log }) {
  return async (job: Job<OutboxJob<'session-payment'>>): Promise<void> => {
    const events = await settleSession(ctx, job.data)
    if (events.length > 0)
      ctx.log.info({ sessionId: job.data.sessionId, reason: job.data.reason, events: events.map((event) => event.type) }, 'session settled')
  }
}
