import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { ApiError, invalidBody } from '../platform/errors.ts'
import type { Metrics } from '../platform/metrics.ts'

/** OWASP's least for argon2id (2 to the library): 19 MiB, two passes, one lane. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes at once: there are threads for four, and one processor is left to those who do not sign in. */
export const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1))
/**
 * Who may wait for one. More would wait longer than people do; strangers, however many, leave room for those who are known, and those at one
 * account for those at others.
 */
const maxWaiting = { known: 64, strangers: 32, strangersAtOne: 8 }

export interface Passwords {
  /** @returns the argon2id hash in PHC form */
  hash(password: string): Promise<string>
  /**
   * Always exactly one verification, whether there is a hash or not.
   * @param stored null: there is no account
   * @param strangerAt the account that a stranger tries; null: it comes from where the account has signed in before, and goes first
   * @throws ApiError 503 while too many wait
   */
  verify(stored: string | null, password: string, strangerAt: string | null): Promise<boolean>
}

/** Password hashing that cannot take the whole process: a few at once, some waiting, the rest refused with 503. */
export function createPasswords(metrics: Metrics): Passwords {
  const verifications = metrics.counter('password_verifications_total', 'Passwords that were verified')
  const known: (() => void)[] = []
  const strangers: { at: string; begin: () => void }[] = []
  let running = 0
  const nobodys = hash(randomBytes(32), options)

  const isFull = (strangerAt: string | null): boolean =>
    strangerAt === null
      ? known.length >= maxWaiting.known
      : strangers.length >= maxWaiting.strangers || strangers.filter(({ at }) => at === strangerAt).length >= maxWaiting.strangersAtOne

  async function inTurn<T>(strangerAt: string | null, work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (isFull(strangerAt)) throw new ApiError(503, 'unavailable', 'Too many people sign in right now', { retryAfterSeconds: 2 })
      await new Promise<void>((begin) => (strangerAt === null ? known.push(begin) : strangers.push({ at: strangerAt, begin })))
    } else running++
    try {
      return await work()
    } finally {
      const next = known.shift() ?? strangers.shift()?.begin
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password) => inTurn(null, () => hash(password, options)),
    async verify(stored, password, strangerAt) {
      // Where there is no account it takes as long, with a hash of the same cost that no password was ever chosen for.
      const against = stored ?? (await nobodys)
      const right = await inTurn(strangerAt, () => {
        verifications.inc()
        return verify(against, password)
      })
      return right && stored !== null
    },
  }
}

/**
 * What is no password: too few different characters, or the email address. Its length is the contract's.
 * @throws ApiError 400 naming `field`
 */
export function requireGoodPassword(password: string, email: string, field = 'password'): void {
  const plain = password.toLowerCase()
  const [name = ''] = email.split('@')
  if (new Set(plain).size < 6) throw invalidBody({ field, message: 'needs more different characters' })
  if (plain.includes(email) || (name.length > 3 && plain.startsWith(name) && plain.length < name.length + 6))
    throw invalidBody({ field, message: 'must not be made of the email address' })
}
