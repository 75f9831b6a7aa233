/** Queue names and what a job on each of them carries. A job is a hint: the row it names is the record. */
export interface JobPayloads {
  /** A session whose transfers or time changed. The worker reads what is true now, not what the job says. */
  'session-payment': { sessionId: string; reason: 'seen' | 'confirmed' | 'reverted' | 'expiry' }
  /** An endpoint that has deliveries due. */
  'webhook-delivery': { endpointId: string }
}

export type QueueName = keyof JobPayloads

/** Queues that are fed from the outbox: their jobs carry the row's id, and the row is done when the worker says so. */
export type OutboxQueue = 'session-payment'

export type OutboxJob<Q extends OutboxQueue> = JobPayloads[Q] & { outboxId: string }

export const queueNames: readonly QueueName[] = ['session-payment', 'webhook-delivery']

/** How often a job is tried before its row is declared dead, and how long the relay waits for the worker's word. */
export const outboxPolicy = { tries: 12, attemptsPerTry: 3, backoffMs: 200 } as const
