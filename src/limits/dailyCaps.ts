import type { Queryable } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import { type CapName, type Caps, capOf } from './caps.ts'
import type { Limit, RateLimiter } from './rateLimiter.ts'

export type DailyCap = Extract<CapName, `${string}PerDay`>

export interface DailyCapContext {
  db: Queryable
  limiter: RateLimiter
  caps: Caps
}

const daySeconds = 24 * 3600

/**
 * Counts work against what a business may ask for in a day, which begins with the first that is counted. What does not fit is given back.
 * @throws ApiError 429 `daily_cap_reached`
 */
export async function countDaily(ctx: DailyCapContext, businessId: string, name: DailyCap, cost = 1): Promise<void> {
  const limit = await limitOf(ctx, businessId, name)
  const standing = await ctx.limiter.count(limit, cost)
  if (!standing.over) return
  await ctx.limiter.giveBack(limit, cost)
  throw dailyCapReached(name, limit.most, standing.resetSeconds)
}

/**
 * Takes as much of a day's cap as there is left.
 * @returns how much, up to `wanted`
 * @throws ApiError 429 `daily_cap_reached` where nothing is left
 */
export async function takeDaily(ctx: DailyCapContext, businessId: string, name: DailyCap, wanted: number): Promise<number> {
  const limit = await limitOf(ctx, businessId, name)
  const { over, used, resetSeconds } = await ctx.limiter.count(limit, wanted)
  if (!over) return wanted
  const taken = Math.max(0, wanted - (used - limit.most))
  await ctx.limiter.giveBack(limit, wanted - taken)
  if (taken === 0) throw dailyCapReached(name, limit.most, resetSeconds)
  return taken
}

/** Takes back what was counted for work that was not done, or that is not meant. */
export async function giveBackDaily(ctx: DailyCapContext, businessId: string, name: DailyCap, cost = 1): Promise<void> {
  if (cost > 0) await ctx.limiter.giveBack(await limitOf(ctx, businessId, name), cost)
}

async function limitOf(ctx: DailyCapContext, businessId: string, name: DailyCap): Promise<Limit> {
  return { name, of: businessId, most: await capOf(ctx.db, ctx.caps, businessId, name), windowSeconds: daySeconds }
}

const dailyCapReached = (name: DailyCap, cap: number, retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'daily_cap_reached', `${name}: the business may use ${cap} in 24 hours; the operator of this deployment can raise it`, {
    retryAfterSeconds,
  })
