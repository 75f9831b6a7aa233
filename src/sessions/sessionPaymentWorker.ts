import type { JobHandler, WorkerContext } from '../capability.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { checkoutUrls } from './checkout/checkoutToken.ts'
import { sessionSettings } from './settings.ts'
import { settleSession } from './settleSession.ts'

/** Settles a session after its payments changed or its time ran out. */
export function sessionPaymentWorker(
  worker: Pick<
    WorkerContext,
    'db' | 'chains' | 'log' | 'appKey' | 'baseUrl' | 'outflowEvents' | 'prover' | 'settings'
  >,
): JobHandler<OutboxJob<'session-payment'>> {
  const { db, chains, log, appKey, outflowEvents, prover } = worker
  const { EXCESS_HOLD_DAYS: excessHoldDays } = worker.settings(sessionSettings)
  const ctx = {
    db,
    chains,
    log,
    appKey,
    checkoutUrl: checkoutUrls(appKey, worker.baseUrl),
    outflowEvents,
    maker: { madeBy: 'worker', prover },
    excessHoldDays,
  } as const
  return {
    async process(job) {
      const events = await settleSession(ctx, job)
      if (events.length > 0)
        ctx.log.info(
          { sessionId: job.sessionId, reason: job.reason, events: events.map((event) => event.type) },
          'session settled',
        )
    },
  }
}
