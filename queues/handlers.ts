import { queueDefinitions, queueNames } from '../src/capabilities.ts'
import type { JobHandler, OutboxFed, RowFed, WorkerContext } from '../src/capability.ts'
import type { OutboxQueue, QueueName } from '../src/platform/jobs.ts'

type Handler = JobHandler<object>
type Definition = (OutboxFed<never> | RowFed<never>) & { start(ctx: WorkerContext): Promise<Handler> }

/** By queue. */
export type Handlers = ReadonlyMap<QueueName, Handler>

/** Creates the handler of each queue: any worker can be notified of its rows. */
export async function startHandlers(ctx: WorkerContext): Promise<Handlers> {
  const handlers = new Map<QueueName, Handler>()
  for (const name of queueNames)
    handlers.set(name, await (queueDefinitions[name] as unknown as Definition).start(ctx))
  return handlers
}

/** The handlers of those queues among `names` whose short work needs no job. */
export const directHandlers = (
  handlers: Handlers,
  names: readonly string[],
): ReadonlyMap<OutboxQueue, Handler> =>
  new Map(
    [...handlers].flatMap(([name, handler]) =>
      isDirect(name) && names.includes(name) ? [[name, handler]] : [],
    ),
  )

function isDirect(name: QueueName): name is OutboxQueue {
  const definition = queueDefinitions[name]
  return definition.source === 'outbox' && definition.direct === true
}
