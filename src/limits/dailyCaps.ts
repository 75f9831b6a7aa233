import type { Db } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { type CapName, type Caps, capOf } from './caps.ts'
import type { Limit, RateLimiter } from './rateLimiter.ts'

export type DailyCap = Extract<CapName, `${string}PerDay`>

export interface DailyCapContext {
  db: Db
  limiter: RateLimiter
  caps: Caps
}

/** Work that is counted. */
export interface Counted {
  readonly cost: number
  /** Takes back what was not done; all of it where `cost` is not given. Asks no database and never throws: the work may be committed. */
  giveBack(cost?: number): Promise<void>
}

const daySeconds = 24 * 3600

/**
 * Counts work against what a business may ask for in a day, which begins with the first that is counted. What does not fit is given back.
 * Never call it in a transaction: it takes another connection for the cap, and waits up to a second for Redis.
 * @param options.apart has a count of its own, under the same cap
 * @throws ApiError 429 `daily_cap_reached`
 */
export async function countDaily(
  ctx: DailyCapContext,
  businessId: string,
  name: DailyCap,
  { cost = 1, apart }: { cost?: number; apart?: string } = {},
): Promise<Counted> {
  if (cost === 0) return { cost, giveBack: async () => {} }
  const limit = await limitOf(ctx, businessId, name, apart)
  const standing = await ctx.limiter.count(limit, cost)
  const giveBack = async (back = cost) => {
    if (back > 0) await ctx.limiter.giveBack(limit, back)
  }
  if (!standing.over) return { cost, giveBack }
  await giveBack()
  throw dailyCapReached(name, limit.max, standing.resetSeconds)
}

/** Does work that was counted. Where it throws, what was counted is given back. */
export async function doCounted<T>(counted: Counted, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await counted.giveBack()
    throw error
  }
}

/**
 * Takes as much of a day's cap as there is left. Never call it in a transaction.
 * @returns how much, up to `wanted`
 * @throws ApiError 429 `daily_cap_reached` where nothing is left
 */
export async function takeDaily(ctx: DailyCapContext, businessId: string, name: DailyCap, wanted: number): Promise<number> {
  const limit = await limitOf(ctx, businessId, name)
  const { over, used, resetSeconds } = await ctx.limiter.count(limit, wanted)
  if (!over) return wanted
  const taken = Math.max(0, wanted - (used - limit.max))
  await ctx.limiter.giveBack(limit, wanted - taken)
  if (taken === 0) throw dailyCapReached(name, limit.max, resetSeconds)
  return taken
}

async function limitOf(ctx: DailyCapContext, businessId: string, name: DailyCap, apart?: string): Promise<Limit> {
  const of = apart === undefined ? businessId : `${businessId}:${apart}`
  return { name, of, max: await capOf(ctx.db, ctx.caps, businessId, name), windowSeconds: daySeconds }
}

const dailyCapReached = (name: DailyCap, cap: number, retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'daily_cap_reached', `${name}: the business may use ${cap} in 24 hours; the operator of this deployment can raise it`, {
    retryAfterSeconds,
  })
