import { createHash } from 'node:crypto'
import { networkOf } from '../platform/addresses.ts'
import type { Limit, RateLimiter, Standing } from './rateLimiter.ts'
import { tooManyRequests } from './tooManyRequests.ts'

const hour = 3600
const day = 24 * hour

const hashed = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22)

/**
 * Mails to one address. Each kind has a count of its own: a stranger who asks for resets, which anyone may, keeps the address from no proof and no
 * invitation.
 */
const toAddress = (name: 'mail-address' | 'mail-proof-address' | 'mail-reset-address', email: string): Limit[] => [
  { name, of: hashed(email), max: 5, windowSeconds: hour },
  { name, of: hashed(email), max: 15, windowSeconds: day },
]
/** Mails that the members of one business send to strangers. */
const fromBusiness = (businessId: string): Limit => ({ name: 'mail-business', of: businessId, max: 100, windowSeconds: day })

async function over(ctx: { limiter: RateLimiter }, limits: readonly Limit[]): Promise<Standing | null> {
  for (const limit of limits) {
    const standing = await ctx.limiter.count(limit)
    if (standing.over) return standing
  }
  return null
}

/** Counts an invitation to an address, and of a business where one sends it. @throws ApiError 429 */
export async function countInvitationMail(ctx: { limiter: RateLimiter }, email: string, businessId?: string): Promise<void> {
  const standing = await over(ctx, [...(businessId === undefined ? [] : [fromBusiness(businessId)]), ...toAddress('mail-address', email)])
  if (standing) throw tooManyRequests(standing)
}

/** Counts a proof that an account asks for, of its own address. @throws ApiError 429 */
export async function countProofMail(ctx: { limiter: RateLimiter }, email: string): Promise<void> {
  const standing = await over(ctx, toAddress('mail-proof-address', email))
  if (standing) throw tooManyRequests(standing)
}

/** Counts a reset to an address, and says whether it may be mailed: the asker must not learn how often others asked. */
export const mayMailReset = async (ctx: { limiter: RateLimiter }, email: string): Promise<boolean> =>
  (await over(ctx, toAddress('mail-reset-address', email))) === null

/** Resets that one network asks for, for any addresses. @throws ApiError 429 */
export async function countReset(ctx: { limiter: RateLimiter }, address: string): Promise<void> {
  const standing = await over(ctx, [{ name: 'mail-reset', of: networkOf(address), max: 20, windowSeconds: hour }])
  if (standing) throw tooManyRequests(standing)
}
