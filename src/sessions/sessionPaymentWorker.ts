import type { JobHandler, WorkerContext } from '../capability.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { settleSession } from './settleSession.ts'

/** Settles a session after its payments changed or its time ran out. */
export function sessionPaymentWorker(ctx: Pick<WorkerContext, 'db' | 'chains' | 'log'>): JobHandler<OutboxJob<'session-payment'>> {
  return {
    async process(job) {
      const events = await settleSession(ctx, job)
      if (events.length > 0)
        ctx.log.info({ sessionId: job.sessionId, reason: job.reason, events: events.map((event) => event.type) }, 'session settled')
    },
  }
}
