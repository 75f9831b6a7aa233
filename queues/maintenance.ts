import type { MaintenanceContext, MaintenanceTask } from '../src/capability.ts'
import { forgetAnswers } from '../src/platform/database/forgetAnswers.ts'
import { messageOf } from '../src/platform/errors.ts'
import { repeat } from '../src/platform/repeat.ts'

const everyMs = 60_000

/** Runs the maintenance tasks every minute until the worker stops. Any number of processes may run this. */
export async function runMaintenance(
  ctx: MaintenanceContext,
  tasks: readonly MaintenanceTask[],
): Promise<void> {
  const all: readonly MaintenanceTask[] = [...tasks, ({ db }) => forgetAnswers(db)]
  await repeat(ctx.stopping, { everyMs }, async () => {
    for (const task of all)
      await task(ctx).catch((error) =>
        ctx.log.warn({ err: messageOf(error) }, 'a maintenance task failed; it is retried'),
      )
    // Spread, so that processes that started together do not query at once.
    return everyMs * (0.5 + Math.random())
  })
}
