import { createHash } from 'node:crypto'
import { networkOf } from '../platform/addresses.ts'
import type { Limit, LimitState, RateLimiter } from './rateLimiter.ts'
import { tooManyRequests } from './tooManyRequests.ts'

const hour = 3600
const day = 24 * hour

const hashed = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22)

/**
 * Mails to one address. Each kind has its own count: anyone may request resets, which must not block proofs
 * and invitations.
 */
const toAddress = (
  name: 'mail-address' | 'mail-proof-address' | 'mail-reset-address',
  email: string,
): Limit[] => [
  { name, of: hashed(email), max: 5, windowSeconds: hour },
  { name, of: hashed(email), max: 15, windowSeconds: day },
]
/** Mails that the members of one business send to people outside it. */
const fromBusiness = (businessId: string): Limit => ({
  name: 'mail-business',
  of: businessId,
  max: 100,
  windowSeconds: day,
})

async function over(ctx: { limiter: RateLimiter }, limits: readonly Limit[]): Promise<LimitState | null> {
  for (const limit of limits) {
    const standing = await ctx.limiter.count(limit)
    if (standing.over) return standing
  }
  return null
}

/** Counts an invitation to an address, and for a business if one sends it. @throws ApiError 429 */
export async function countInvitationMail(
  ctx: { limiter: RateLimiter },
  email: string,
  businessId?: string,
): Promise<void> {
  const standing = await over(ctx, [
    ...(businessId === undefined ? [] : [fromBusiness(businessId)]),
    ...toAddress('mail-address', email),
  ])
  if (standing) throw tooManyRequests(standing)
}

/** Counts a proof mail that an account requests for its own address. @throws ApiError 429 */
export async function countProofMail(ctx: { limiter: RateLimiter }, email: string): Promise<void> {
  const standing = await over(ctx, toAddress('mail-proof-address', email))
  if (standing) throw tooManyRequests(standing)
}

/**
 * Counts a reset to an address. @returns whether it may be mailed; the requester must not learn how often
 * others requested one
 */
export const mayMailReset = async (ctx: { limiter: RateLimiter }, email: string): Promise<boolean> =>
  (await over(ctx, toAddress('mail-reset-address', email))) === null

/** Counts resets requested from one network, for any addresses. @throws ApiError 429 */
export async function countReset(ctx: { limiter: RateLimiter }, address: string): Promise<void> {
  const standing = await over(ctx, [
    { name: 'mail-reset', of: networkOf(address), max: 20, windowSeconds: hour },
  ])
  if (standing) throw tooManyRequests(standing)
}
