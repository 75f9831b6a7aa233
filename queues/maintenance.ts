import { forgetChallenges } from '../src/accounts/passkeyChallenges.ts'
import { failDeadAdditions, forgetAdditions } from '../src/monitoring/additions.ts'
import { foldMonitoredCounts } from '../src/monitoring/foldMonitoredCounts.ts'
import { messageOf } from '../src/platform/errors.ts'
import { forgetAnswers } from '../src/platform/forgetAnswers.ts'
import { pause } from '../src/platform/wait.ts'
import { foldOpenSessions } from '../src/sessions/openSessions.ts'
import { forgetPrepared } from '../src/transfers/forgetPrepared.ts'
import { type MaintenanceContext, maintain } from '../src/webhooks/maintain.ts'

const everyMs = 60_000

/** Keeps the tables in order until `signal` is aborted. Any number of processes may. */
export async function runMaintenance(ctx: MaintenanceContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const works: (() => Promise<unknown>)[] = [
      () => maintain(ctx),
      () => foldMonitoredCounts(ctx.db),
      () => foldOpenSessions(ctx.db),
      () => forgetPrepared(ctx.db),
      () => failDeadAdditions(ctx.db),
      () => forgetAdditions(ctx.db),
      () => forgetAnswers(ctx.db),
      () => forgetChallenges(ctx.db),
    ]
    for (const work of works)
      await work().catch((error) => ctx.log.warn({ err: messageOf(error) }, 'the tables could not be maintained; trying again later'))
    // Spread, so that processes that started together do not all ask at once.
    await pause(everyMs * (0.5 + Math.random()), signal)
  }
}
