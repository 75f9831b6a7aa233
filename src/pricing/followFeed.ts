import { currencies } from '../money/currencies.ts'
import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { RateBreaker, RateFeed, Rates } from './rates.ts'
import { claimFeed, endFeedRequest } from './storedFeed.ts'

/** Whether a request is due is looked up as often. */
const everyMs = 15_000
/** The pause after a failure, or that between requests where it is shorter: plans count requests. */
const retryMs = 300_000

export interface FollowContext {
  db: Db
  log: Log
  feed: RateFeed
  breaker: RateBreaker
  pollMs: number
  /** The partner's, which are compared with those of the source. */
  partnerRates: Pick<Rates, 'midOrNull'> | null
  stopping: AbortSignal
}

/**
 * Requests the rates of the second source while the worker runs, and stores what the limits accept. All workers
 * together send one request in `pollMs`.
 */
export const followFeed = (ctx: FollowContext): Promise<void> =>
  repeat(
    ctx.stopping,
    {
      everyMs: Math.min(everyMs, ctx.pollMs),
      failed: (error) =>
        ctx.log.warn({ err: messageOf(error) }, 'could not follow the second source of rates'),
    },
    async () => {
      await takeFeed(ctx)
      // Has the partner's rates requested as well, where no price has done so: both are compared.
      await ctx.partnerRates?.midOrNull('USD')
    },
  )

/** Requests the rates, if that is due and no other worker does. */
export async function takeFeed({ db, log, feed, breaker, pollMs }: FollowContext): Promise<void> {
  const askedAt = await claimFeed(db, feed)
  if (askedAt === null) return
  try {
    const now = Date.now()
    const rates = (await feed.rates()).filter(({ currency }) => currencies.has(currency))
    if (rates.length === 0) throw new Error('it answered no rate of a currency')
    // A date in the future would keep a rate in use for longer than its age allows.
    await breaker(rates.map((rate) => ({ ...rate, at: new Date(Math.min(rate.at.getTime(), now)) })))
  } catch (error) {
    log.warn({ source: feed.name, err: error }, 'could not read rates from the second source')
    await endFeedRequest(db, feed, askedAt, {
      waitMs: Math.min(pollMs, retryMs),
      problem: messageOf(error).slice(0, 300),
    })
    return
  }
  await endFeedRequest(db, feed, askedAt, { waitMs: pollMs, problem: null })
}
