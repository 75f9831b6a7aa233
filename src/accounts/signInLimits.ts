import { createHash } from 'node:crypto'
import type { Limit, RateLimiter, Standing } from '../limits/rateLimiter.ts'
import { tooManyRequests } from '../limits/tooManyRequests.ts'
import { networkOf, siteOf } from '../platform/addresses.ts'

const quarterHour = 15 * 60
const day = 24 * 3600

/** What a wrong second factor costs: the password was right, and a code has six digits only. */
const wrongCodeCost = 5

/** Who tries to sign in, as far as limits care. */
export interface Guesser {
  email: string
  address: string
  /** Null: no account has the email address, or the guesser is a stranger to it. */
  known: { accountId: string; device: string | null } | null
}

const each = (name: string, of: string, aQuarterHour: number, aDay: number): Limit[] => [
  { name, of, max: aQuarterHour, windowSeconds: quarterHour },
  { name, of, max: aDay, windowSeconds: day },
]

/**
 * The limits of a guesser. A browser, or a network, that signed in to the account before has limits of its own, which nobody else
 * can use up. Strangers share those of their network and, all together, one of the account: an attacker with many addresses meets the
 * second, and locks out only other strangers, for a quarter of an hour. No address can use up an account's by itself.
 */
export function limitsOf({ known, address, email }: Guesser): { own: Limit[]; shared: Limit[] } {
  const network = networkOf(address)
  if (known?.device) return { own: each('sign-in-device', known.device, 20, 200), shared: [] }
  if (known) return { own: each('sign-in-network', `${known.accountId} ${network}`, 20, 200), shared: [] }
  const site = siteOf(address)
  return {
    own: [...each('sign-in-address', network, 20, 100), ...(site === null ? [] : each('sign-in-site', site, 100, 1000))],
    shared: [{ name: 'sign-in-account', of: hashed(email), max: 60, windowSeconds: quarterHour }],
  }
}

/** Strangers who know the password of an account may try so many codes a day, all together. */
const codesOf = (accountId: string): Limit => ({ name: 'sign-in-codes', of: accountId, max: 50, windowSeconds: day })

const hashed = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22)

/** A guess that was counted before anything was verified, so that many at once are no more than many one by one. */
export interface CountedGuess {
  /** The account's common limit for strangers is used up. */
  lockedForStrangers(): Standing | null
  /**
   * Counts what a code costs besides, before it is looked at.
   * @throws ApiError 429 when the guesser's own limit is used up, or that of strangers who know the password
   */
  countCode(accountId: string): Promise<void>
  /** It was right, or not a guess: nothing of it counts. */
  giveBack(): Promise<void>
}

/**
 * Counts a guess.
 * @throws ApiError 429 when the guesser's own limit is used up; the account's common limit is not touched then
 */
export async function countGuess(ctx: { limiter: RateLimiter }, guesser: Guesser): Promise<CountedGuess> {
  const { own, shared } = limitsOf(guesser)
  const counted: { limit: Limit; cost: number }[] = []
  let locked: Standing | null = null

  /** One after the other, to the first that is over: what it refuses must not use up those that are for longer. */
  async function countEach(limits: Limit[], cost: number): Promise<Standing | null> {
    for (const limit of limits) {
      const standing = await ctx.limiter.count(limit, cost)
      counted.push({ limit, cost })
      if (standing.over) return standing
    }
    return null
  }
  async function count(cost: number): Promise<void> {
    const over = await countEach(own, cost)
    if (over) throw tooManyRequests(over)
    locked = await countEach(shared, cost)
  }

  await count(1)
  return {
    lockedForStrangers: () => locked,
    async countCode(accountId) {
      await count(wrongCodeCost - 1)
      const over = guesser.known ? null : await countEach([codesOf(accountId)], 1)
      if (over) throw tooManyRequests(over)
    },
    giveBack: async () => void (await Promise.all(counted.splice(0).map(({ limit, cost }) => ctx.limiter.giveBack(limit, cost)))),
  }
}
