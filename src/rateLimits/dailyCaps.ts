import type { Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { type CapName, type Caps, capOf } from './caps.ts'
import type { Limit, RateLimiter } from './rateLimiter.ts'

export type DailyCap = Extract<CapName, `${string}PerDay`>

export interface DailyCapContext {
  db: Db
  limiter: RateLimiter
  caps: Caps
}

/** Counted work. */
export interface Counted {
  readonly cost: number
  /**
   * Gives back the unused cost, by default all of it. Never queries the database and never throws: the work
   * may be committed.
   */
  giveBack(cost?: number): Promise<void>
}

const daySeconds = 24 * 3600

/**
 * Counts work against a business's daily cap; the day starts with the first call counted. Work that does not
 * fit is given back. Never call it in a transaction: it takes another connection for the cap, and waits up to
 * a second for Redis.
 * @param options.separate a separate count under the same cap
 * @throws ApiError 429 `daily_cap_reached`
 */
export async function countDaily(
  ctx: DailyCapContext,
  businessId: string,
  name: DailyCap,
  { cost = 1, separate }: { cost?: number; separate?: string } = {},
): Promise<Counted> {
  if (cost === 0) return { cost, giveBack: async () => {} }
  const limit = await limitOf(ctx, businessId, name, separate)
  const standing = await ctx.limiter.count(limit, cost)
  const giveBack = async (back = cost) => {
    if (back > 0) await ctx.limiter.giveBack(limit, back)
  }
  if (!standing.over) return { cost, giveBack }
  await giveBack()
  throw dailyCapReached(name, limit.max, standing.resetSeconds)
}

/** Runs counted work, and gives its cost back if it throws. */
export async function doCounted<T>(counted: Counted, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await counted.giveBack()
    throw error
  }
}

/**
 * Takes what is left of a daily cap, up to `wanted`. Never call it in a transaction.
 * @returns the amount taken
 * @throws ApiError 429 `daily_cap_reached` where nothing is left
 */
export async function takeDaily(
  ctx: DailyCapContext,
  businessId: string,
  name: DailyCap,
  wanted: number,
): Promise<number> {
  const limit = await limitOf(ctx, businessId, name)
  const { over, used, resetSeconds } = await ctx.limiter.count(limit, wanted)
  if (!over) return wanted
  const taken = Math.max(0, wanted - (used - limit.max))
  await ctx.limiter.giveBack(limit, wanted - taken)
  if (taken === 0) throw dailyCapReached(name, limit.max, resetSeconds)
  return taken
}

async function limitOf(
  ctx: DailyCapContext,
  businessId: string,
  name: DailyCap,
  separate?: string,
): Promise<Limit> {
  const of = separate === undefined ? businessId : `${businessId}:${separate}`
  return { name, of, max: await capOf(ctx.db, ctx.caps, businessId, name), windowSeconds: daySeconds }
}

const dailyCapReached = (name: DailyCap, cap: number, retryAfterSeconds: number): ApiError =>
  new ApiError(
    429,
    'daily_cap_reached',
    `${name}: the business may use ${cap} in 24 hours; the operator of this deployment can raise it`,
    {
      retryAfterSeconds,
    },
  )
