import { createHash } from 'node:crypto'
import { networkOf, siteOf } from '../platform/addresses.ts'
import type { LimitName } from '../rateLimits/limitNames.ts'
import type { Limit, LimitState, RateLimiter } from '../rateLimits/rateLimiter.ts'
import { tooManyRequests } from '../rateLimits/tooManyRequests.ts'

const quarterHour = 15 * 60
const day = 24 * 3600

/** The cost of a wrong second factor: the password was right, and a code has only six digits. */
const wrongCodeCost = 5

/** A sign-in attempt, as the limits see it. */
export interface Guesser {
  email: string
  address: string
  /** Null: no account has the address, or the device is unknown to it. */
  known: { accountId: string; device: string | null } | null
}

const each = (name: LimitName, of: string, aQuarterHour: number, aDay: number): Limit[] => [
  { name, of, max: aQuarterHour, windowSeconds: quarterHour },
  { name, of, max: aDay, windowSeconds: day },
]

/**
 * The limits of a guesser. A browser or network that signed in before has its own limits, which others cannot
 * use up. Unknown devices share those of their network and, all together, one of the account: an attacker
 * with many addresses hits the second, and locks out only other unknown devices, for 15 minutes. One network
 * alone cannot use up the account's limit.
 */
export function limitsOf({ known, address, email }: Guesser): { own: Limit[]; shared: Limit[] } {
  const network = networkOf(address)
  if (known?.device) return { own: each('sign-in-device', known.device, 20, 200), shared: [] }
  if (known) return { own: each('sign-in-network', `${known.accountId} ${network}`, 20, 200), shared: [] }
  const site = siteOf(address)
  return {
    own: [
      ...each('sign-in-address', network, 20, 100),
      ...(site === null ? [] : each('sign-in-site', site, 100, 1000)),
    ],
    shared: [{ name: 'sign-in-account', of: hashed(email), max: 60, windowSeconds: quarterHour }],
  }
}

/** The codes that all unknown devices that know an account's password may try in a day, together. */
const codesOf = (accountId: string): Limit => ({
  name: 'sign-in-codes',
  of: accountId,
  max: 50,
  windowSeconds: day,
})

const hashed = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22)

/** A guess counted before it is verified, so that parallel guesses cannot exceed the limit. */
export interface CountedGuess {
  /** Set when the account's shared limit for unknown devices is used up. */
  lockedForUnknownDevices(): LimitState | null
  /**
   * Counts the extra cost of a code, before it is checked.
   * @throws ApiError 429 when the guesser's own limit is used up, or that of unknown devices that know the
   * password
   */
  countCode(accountId: string): Promise<void>
  /** The guess was right, or not a guess: it does not count. */
  giveBack(): Promise<void>
}

/**
 * Counts a guess.
 * @throws ApiError 429 when the guesser's own limit is used up; the account's shared limit is then not
 * counted
 */
export async function countGuess(ctx: { limiter: RateLimiter }, guesser: Guesser): Promise<CountedGuess> {
  const { own, shared } = limitsOf(guesser)
  const counted: { limit: Limit; cost: number }[] = []
  let locked: LimitState | null = null

  /** Sequential, up to the first exceeded limit: a refused guess must not use up the longer limits. */
  async function countEach(limits: Limit[], cost: number): Promise<LimitState | null> {
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
    lockedForUnknownDevices: () => locked,
    async countCode(accountId) {
      await count(wrongCodeCost - 1)
      const over = guesser.known ? null : await countEach([codesOf(accountId)], 1)
      if (over) throw tooManyRequests(over)
    },
    giveBack: async () =>
      void (await Promise.all(counted.splice(0).map(({ limit, cost }) => ctx.limiter.giveBack(limit, cost)))),
  }
}
