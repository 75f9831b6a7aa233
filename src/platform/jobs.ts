/**
 * Payloads of jobs that are fed from the outbox, by queue name. Each capability adds its own
 * (docs/architecture.md, "Capabilities"). A job is a hint: the row it names is the record, and the worker
 * reads the current state.
 */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface OutboxJobs {}

/** Payloads of jobs that are fed from rows of the capability's own that are due, by queue name. */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface RowJobs {}

export type JobPayloads = OutboxJobs & RowJobs
export type QueueName = keyof JobPayloads
export type OutboxQueue = keyof OutboxJobs

/** A job carries its row's id; the worker deletes the row when the job is done. */
export type OutboxJob<Q extends OutboxQueue> = OutboxJobs[Q] & { outboxId: string }

/**
 * Tries of a job before its row is dead, attempts per try, and the backoff between attempts. Deliveries of
 * webhooks have a schedule of their own: `src/webhooks/schedule.ts`.
 */
export const outboxPolicy = { tries: 12, attemptsPerTry: 3, backoffMs: 200 } as const
