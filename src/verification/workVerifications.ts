import type { Db } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'
import type { Secret } from '../platform/secrets.ts'
import { endVerification } from './endVerification.ts'
import { type Outcome, type StoredVerification, verificationColumns } from './model.ts'
import { readPerson } from './personData.ts'
import type { Verifier } from './verifier.ts'

interface WorkContext {
  db: Db
  log: Log
  verifyKey: Secret
  verifier: Verifier
}

const pollMs = 500
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
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** @returns false if nothing is due */
async function workOne(ctx: WorkContext, stopping: AbortSignal): Promise<boolean> {
  const row = await claimDue(ctx.db)
  if (!row) return false
  failpoint('verification.claimed')
  const outcome = row.isOld ? silent : await outcomeOf(ctx, row, stopping)
  if (!outcome) return true
  failpoint('verification.answered')
  await ctx.db.tx((tx) => endVerification(tx, row.id, outcome))
  failpoint('verification.ended')
  return true
}

/** Takes the check that is due for the longest time, and makes it due again later: a process that ends loses none. */
async function claimDue(db: Db): Promise<(StoredVerification & { isOld: boolean }) | undefined> {
  const [row] = await db.query<StoredVerification & { isOld: boolean }>(
    `update verifications set status = 'processing', attempts = attempts + 1,
       next_attempt_at = now() + least($1 * 2.0 ^ least(attempts, 20), $2) * interval '1 second'
     where id = (select id from verifications where next_attempt_at <= now() order by next_attempt_at limit 1 for update skip locked)
     returning ${verificationColumns}, created_at < now() - interval '1 day' as "isOld"`,
    [firstWaitSeconds, maxWaitSeconds],
  )
  return row
}

/** @returns null without an outcome: the check is made again later */
async function outcomeOf({ db, log, verifyKey, verifier }: WorkContext, row: StoredVerification, stopping: AbortSignal): Promise<Outcome | null> {
  const { id, country, idType, dataKey } = row
  try {
    if (!dataKey) throw new Error('its personal data were erased before its end')
    const person = await readPerson(db, verifyKey, id, dataKey)
    const answer = await verifier.check({ id, country, idType, person }, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]))
    if (answer.id !== id) throw new Error('the verifier answered for another id')
    return answer.outcome
  } catch (error) {
    if (!stopping.aborted) log.warn({ verification: id, verifier: verifier.name, err: messageOf(error) }, 'a verification has no outcome yet')
    return null
  }
}
