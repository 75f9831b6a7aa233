/** What happened to a payment. */
export type PaymentNews = 'seen' | 'confirmed' | 'reverted'

/** Queue names and what a job on each of them carries. A job is a hint: the row it names is the record. */
export interface JobPayloads {
  /** A session whose transfers or time changed. The worker reads what is true now, not what the job says. */
  'session-payment': { sessionId: string; reason: PaymentNews | 'expiry' }
  /** Money that came to an account of the platform and names no deposit. */
  suspense: { detectionId: string; reason: PaymentNews }
  /** An endpoint that has deliveries due. */
  'webhook-delivery': { endpointId: string }
}

export type QueueName = keyof JobPayloads

/** Queues that are fed from the outbox: their jobs carry the row's id, and the row is done when the worker says so. */
export const outboxQueues = ['session-payment', 'suspense'] as const satisfies readonly QueueName[]
export type OutboxQueue = (typeof outboxQueues)[number]

export type OutboxJob<Q extends OutboxQueue> = JobPayloads[Q] & { outboxId: string }

export const queueNames: readonly QueueName[] = ['session-payment', 'suspense', 'webhook-delivery']

/** How often a job is tried before its row is declared dead, and how long the relay waits for the worker's word. */
export const outboxPolicy = { tries: 12, attemptsPerTry: 3, backoffMs: 200 } as const
