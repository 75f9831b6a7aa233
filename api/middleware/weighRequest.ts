import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { Caller } from '../../src/accounts/caller.ts'
import type { RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import { tooManyRequests } from '../../src/rateLimits/tooManyRequests.ts'
import { weightOf } from '../../src/rateLimits/weight.ts'
import type { Operation } from '../contract.ts'
import { perBusiness, type RequestLimits } from './limits.ts'

interface WeighingContext {
  limiter: RateLimiter
  requestLimits: RequestLimits
}

const sizes = new WeakMap<IncomingMessage, number>()

/** Records the size of a request's body. */
export const noteBodyBytes = (request: IncomingMessage, bytes: number): void => void sizes.set(request, bytes)

/** The bytes of a body that was read; 0: none was. */
export const bodyBytesOf = (request: IncomingMessage): number => sizes.get(request) ?? 0

/**
 * Charges a heavy request with its full weight; it was first counted as one. It stays counted if it exceeds
 * the limit, because its body was read. A request heavier than the whole limit needs all of it.
 * @throws ApiError 429
 */
export async function weighRequest(
  ctx: WeighingContext,
  operation: Operation,
  { businessId }: Pick<Caller, 'businessId'>,
  request: Request,
  response: Response,
): Promise<void> {
  const list: unknown = operation['x-rows'] && (request.body as Record<string, unknown>)[operation['x-rows']]
  const weight = weightOf({ rows: Array.isArray(list) ? list.length : 0, bytes: bodyBytesOf(request) })
  if (weight <= 1 || businessId === '') return
  const max = ctx.requestLimits.perBusiness
  const standing = await ctx.limiter.count(perBusiness(businessId, max), Math.min(weight, max) - 1)
  const [, shown] = /;r=(\d+);/.exec(String(response.getHeader('RateLimit') ?? '')) ?? []
  if (shown === undefined || standing.remaining < Number(shown))
    response.setHeader(
      'RateLimit',
      `"${standing.limit.name}";r=${standing.remaining};t=${standing.resetSeconds}`,
    )
  if (standing.over) throw tooManyRequests(standing)
}

/**
 * Charges rows that became known while the request ran. This request is not refused for them, later ones are.
 */
export async function weighRows(
  ctx: WeighingContext,
  { businessId }: Pick<Caller, 'businessId'>,
  rows: number,
): Promise<void> {
  const weight = weightOf({ rows, bytes: 0 }) - 1
  if (weight > 0) await ctx.limiter.count(perBusiness(businessId, ctx.requestLimits.perBusiness), weight)
}
