import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { onBehalf } from '../platform/telemetry/tracing.ts'
import { createBell } from '../platform/wait.ts'
import { type AttemptKind, attemptKinds, type ClaimedRequest, claimDue } from './claimDue.ts'
import type { Outcome } from './model.ts'
import { resumePending } from './resumePending.ts'
import type { Verifier } from './verifier.ts'
import { endWith, type WorkContext, workOn } from './workOn.ts'

const pollMs = 500
const creditPollMs = 1000
/**
 * Checks at once in this process. Retries have places of their own: neither they nor first attempts wait for
 * the other.
 */
const places: Record<AttemptKind, { max: number; maxPerBusiness: number }> = {
  first: { max: 48, maxPerBusiness: 8 },
  retry: { max: 16, maxPerBusiness: 4 },
}
/** Shorter than the wait after the first attempt, so that no two attempts of one check overlap. */
const timeoutMs = 20_000

/** Without an outcome for a day. */
const silent: Outcome = { status: 'error', reasonCode: 'provider_unavailable' }

interface QueueContext extends Omit<WorkContext, 'verifier'> {
  /** Null: no check is made, and requests that have waited for a day end. */
  verifier: Verifier | null
}

/**
 * Makes the checks that are due, until `stopping` is aborted. The rows are the queue: any number of processes
 * may run it.
 */
export async function workVerifications(ctx: QueueContext, stopping: AbortSignal): Promise<void> {
  const failed = (error: unknown): void =>
    ctx.log.error({ err: messageOf(error) }, 'verifications could not be worked on; trying again')
  const resume = () =>
    repeat(stopping, { everyMs: creditPollMs, failed }, async () =>
      (await resumePending(ctx.db)) ? 0 : creditPollMs,
    )
  const queues = attemptKinds.map((attempt) => workQueue(ctx, attempt, stopping, failed))
  // Without a verifier nothing takes credit for a check.
  await Promise.all([...queues, ...(ctx.verifier ? [resume()] : [])])
}

async function workQueue(
  ctx: QueueContext,
  attempt: AttemptKind,
  stopping: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  const { max, maxPerBusiness } = places[attempt]
  const checks = new Set<Promise<void>>()
  const running = new Map<string, number>()
  const count = (businessId: string, more: number): void => {
    const now = (running.get(businessId) ?? 0) + more
    if (now > 0) running.set(businessId, now)
    else running.delete(businessId)
  }
  const bell = createBell()
  const start = (row: ClaimedRequest): void => {
    count(row.businessId, 1)
    const check = inItsTrace(row, attempt, () => workOne(ctx, row, stopping))
      .catch(failed)
      .finally(() => {
        checks.delete(check)
        count(row.businessId, -1)
        bell.ring()
      })
    checks.add(check)
  }
  await repeat(stopping, { everyMs: pollMs, bell, failed }, async () => {
    if (checks.size >= max) return pollMs
    const rows = await claimDue(ctx.db, {
      attempt,
      max: max - checks.size,
      maxPerBusiness,
      running,
      onlyOld: ctx.verifier === null,
    })
    for (const row of rows) start(row)
    return rows.length > 0 ? 0 : pollMs
  })
  await Promise.all(checks)
}

/** A later attempt has a trace of its own. */
function inItsTrace(
  { id, traceparent }: ClaimedRequest,
  attempt: AttemptKind,
  work: () => Promise<void>,
): Promise<void> {
  const options = { again: attempt === 'retry', attributes: { 'cowry.row.id': id } }
  return onBehalf({ traceparent, requestId: null }, 'step verifications', options, work)
}

async function workOne(
  { verifier, ...ctx }: QueueContext,
  row: ClaimedRequest,
  stopping: AbortSignal,
): Promise<void> {
  if (row.isOld || verifier === null) await endWith(ctx, row, silent)
  else await workOn({ ...ctx, verifier }, row, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]))
}
