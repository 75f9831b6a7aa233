import type { JobHandler } from '../src/capability.ts'
import type { QueueName } from '../src/platform/jobs.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { Cause } from '../src/platform/telemetry/scope.ts'
import { inTrace, onBehalf } from '../src/platform/telemetry/tracing.ts'

/** What a job carries: its payload, and for what it is done. */
export type JobData = object & { outboxId?: string; cause?: Cause & { again: boolean } }

const unknown = { traceparent: null, requestId: null, again: false }

/**
 * Does a job in the trace of its row. Jobs of capabilities' own rows name what is due, and not for what:
 * their handlers read that.
 * @throws what the handler throws; it is in the log then
 */
export async function processJob(
  { log }: { log: Log },
  queue: QueueName,
  handler: JobHandler<object> | undefined,
  { cause = unknown, ...payload }: JobData,
  isRetry = false,
): Promise<void> {
  const { outboxId } = payload
  if (outboxId === undefined) {
    if (!handler || handler.tracesRows) await handler?.process(payload)
    else
      await inTrace(
        `process ${queue}`,
        { kind: 'consumer', attributes: { 'messaging.destination.name': queue } },
        () => handler.process(payload),
      )
    return
  }
  const { again, ...of } = cause
  const attributes = {
    'messaging.system': 'postgresql',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
    'messaging.destination.name': queue,
    'messaging.message.id': outboxId,
  }
  await onBehalf(
    of,
    `process ${queue}`,
    { kind: 'consumer', again: again || isRetry, attributes },
    async () => {
      try {
        await handler?.process(payload)
      } catch (error) {
        log.error({ queue, outboxId, err: error }, 'a job failed')
        throw error
      }
    },
  )
}
