import type { Db } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { type Outcome, requestColumns, type StoredRequest } from './model.ts'
import { resumePending } from './resumePending.ts'
import { endWith, type WorkContext, workOn } from './workOn.ts'

const pollMs = 500
const creditPollMs = 1000
/** Checks at once in this process. */
const atOnce = 8
/** Shorter than the wait after the first attempt, so that no two attempts of one check overlap. */
const timeoutMs = 20_000
const firstWaitSeconds = 30
const maxWaitSeconds = 3600

const silent: Outcome = { status: 'error', reasonCode: 'provider_unavailable', reason: 'The check had no outcome within a day' }

/** Makes the checks that are due, until `stopping` is aborted. The rows are the queue: any number of processes may run it. */
export async function workVerifications(ctx: WorkContext, stopping: AbortSignal): Promise<void> {
  const failed = (error: unknown): void => ctx.log.error({ err: messageOf(error) }, 'verifications could not be worked on; trying again')
  const lane = () => repeat(stopping, { everyMs: pollMs, failed }, async () => ((await workOne(ctx, stopping)) ? 0 : pollMs))
  const resume = repeat(stopping, { everyMs: creditPollMs, failed }, async () => ((await resumePending(ctx.db)) ? 0 : creditPollMs))
  await Promise.all([resume, ...Array.from({ length: atOnce }, lane)])
}

/** @returns false if nothing is due */
async function workOne(ctx: WorkContext, stopping: AbortSignal): Promise<boolean> {
  const row = await claimDue(ctx.db)
  if (!row) return false
  if (row.isOld) await endWith(ctx, row, silent)
  else await workOn(ctx, row, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]))
  return true
}

/** Takes the check that is due for the longest time, and makes it due again later: no check is lost when a process ends. */
async function claimDue(db: Db): Promise<(StoredRequest & { isOld: boolean }) | undefined> {
  const [row] = await db.query<StoredRequest & { isOld: boolean }>(
    `update verifications set status = 'processing', attempts = attempts + 1,
       next_attempt_at = now() + least($1 * 2.0 ^ least(attempts, 20), $2) * interval '1 second'
     where id = (select id from verifications where next_attempt_at <= now() order by next_attempt_at limit 1 for update skip locked)
     returning ${requestColumns}, queued_at < now() - interval '1 day' as "isOld"`,
    [firstWaitSeconds, maxWaitSeconds],
  )
  return row
}
