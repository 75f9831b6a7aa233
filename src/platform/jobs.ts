/** What happened to a payment. */
export type PaymentNews = 'seen' | 'confirmed' | 'reverted'

/** Queue names and what a job on each of them carries. A job is a hint: the row it names is the record. */
export interface JobPayloads {
  /** A session whose transfers or time changed. The worker reads what is true now, not what the job says. */
  'session-payment': { sessionId: string; reason: PaymentNews | 'expiry' }
  /** Movements of a business's monitored addresses, of one commit; those of tokens that Cowry does not know by name apart. */
  monitoring: { businessId: string; detectionIds: string[]; reason: PaymentNews; unknownTokens: boolean }
  /** Many addresses that one request has monitored. */
  additions: { additionId: string }
  /** Money that came to an account of the platform and names no deposit. */
  suspense: { detectionId: string; reason: PaymentNews }
  /** Something that leaves an address, and is due for a look. */
  outgoing: { outgoingId: string }
  /** An endpoint that has deliveries due. */
  'webhook-delivery': { endpointId: string }
}

export type QueueName = keyof JobPayloads

/** Queues that are fed from the outbox: their jobs carry the row's id, and the row is done when the worker says so. */
export const outboxQueues = ['session-payment', 'monitoring', 'additions', 'suspense'] as const satisfies readonly QueueName[]
export type OutboxQueue = (typeof outboxQueues)[number]

export type OutboxJob<Q extends OutboxQueue> = JobPayloads[Q] & { outboxId: string }

export const queueNames: readonly QueueName[] = ['session-payment', 'monitoring', 'additions', 'suspense', 'outgoing', 'webhook-delivery']

/** How often a job is tried before its row is declared dead, and how long the relay waits for the worker's word. */
export const outboxPolicy = { tries: 12, attemptsPerTry: 3, backoffMs: 200 } as const
