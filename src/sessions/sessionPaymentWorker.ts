import type { JobHandler, WorkerContext } from '../capability.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { settleSession } from './settleSession.ts'

/** Settles a session after its payments changed or its time ran out. */
export function sessionPaymentWorker(
  worker: Pick<WorkerContext, 'db' | 'chains' | 'log' | 'appKey' | 'prover'>,
): JobHandler<OutboxJob<'session-payment'>> {
  const { db, chains, log, appKey, prover } = worker
  const ctx = { db, chains, log, appKey, maker: { madeBy: 'worker', prover } } as const
  return {
    async process(job) {
      const events = await settleSession(ctx, job)
      if (events.length > 0)
        ctx.log.info({ sessionId: job.sessionId, reason: job.reason, events: events.map((event) => event.type) }, 'session settled')
    },
  }
}
