/** The change of a detection that a job is about. */
export type DetectionChange = 'seen' | 'confirmed' | 'reverted'

/** Payloads by queue name. A job is a hint: the row it names is the record. */
export interface JobPayloads {
  /** A session whose payments changed or whose time ran out. The worker reads the current state, not the job's. */
  'session-payment': { sessionId: string; reason: DetectionChange | 'expiry' }
  /**
   * Detections of a business's monitored addresses from one commit; those of unknown tokens are in jobs of their own.
   */
  monitoring: { businessId: string; detectionIds: string[]; reason: DetectionChange; unknownTokens: boolean }
  /** An addition to store. */
  additions: { additionId: string }
  /** A payment to an account of the platform that names no session. */
  suspense: { detectionId: string; reason: DetectionChange }
  /** An intent due to be reconciled. */
  txmgr: { intentId: string }
  /** An endpoint with deliveries due. */
  'webhook-delivery': { endpointId: string }
}

export type QueueName = keyof JobPayloads

/** Queues fed from the outbox: a job carries its row's id, and the worker deletes the row when it is done. */
export const outboxQueues = ['session-payment', 'monitoring', 'additions', 'suspense'] as const satisfies readonly QueueName[]
export type OutboxQueue = (typeof outboxQueues)[number]

export type OutboxJob<Q extends OutboxQueue> = JobPayloads[Q] & { outboxId: string }

export const queueNames: readonly QueueName[] = ['session-payment', 'monitoring', 'additions', 'suspense', 'txmgr', 'webhook-delivery']

/** Tries of a job before its row is dead, attempts per try, and the backoff between attempts. */
export const outboxPolicy = { tries: 12, attemptsPerTry: 3, backoffMs: 200 } as const
