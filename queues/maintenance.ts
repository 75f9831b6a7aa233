import { forgetChallenges } from '../src/accounts/passkeyChallenges.ts'
import { failDeadAdditions, forgetAdditions } from '../src/monitoring/additions.ts'
import { foldMonitoredCounts } from '../src/monitoring/foldMonitoredCounts.ts'
import { messageOf } from '../src/platform/errors.ts'
import { forgetAnswers } from '../src/platform/forgetAnswers.ts'
import { repeat } from '../src/platform/repeat.ts'
import { foldOpenSessions } from '../src/sessions/openSessions.ts'
import { forgetPrepared } from '../src/transfers/forgetPrepared.ts'
import { type MaintenanceContext, maintain } from '../src/webhooks/maintain.ts'

const everyMs = 60_000

/** Runs the maintenance tasks every minute until `signal` is aborted. Any number of processes may run this. */
export async function runMaintenance(ctx: MaintenanceContext, signal: AbortSignal): Promise<void> {
  await repeat(signal, { everyMs }, async () => {
    const tasks: (() => Promise<unknown>)[] = [
      () => maintain(ctx),
      () => foldMonitoredCounts(ctx.db),
      () => foldOpenSessions(ctx.db),
      () => forgetPrepared(ctx.db),
      () => failDeadAdditions(ctx.db),
      () => forgetAdditions(ctx.db),
      () => forgetAnswers(ctx.db),
      () => forgetChallenges(ctx.db),
    ]
    for (const task of tasks) await task().catch((error) => ctx.log.warn({ err: messageOf(error) }, 'a maintenance task failed; it is retried'))
    // Spread, so that processes that started together do not query at once.
    return everyMs * (0.5 + Math.random())
  })
}
