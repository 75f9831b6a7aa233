import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { ApiError, invalidBody } from '../platform/errors.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'

/** OWASP's minimum for argon2id (2 in the library): 19 MiB, two passes, parallelism 1. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Concurrent hashes: libuv has four threads, and one processor stays free for other requests. */
export const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1))
/**
 * Queue lengths. A longer queue would outlast people's patience; unknown devices leave room for known ones,
 * and those at one account for those at others.
 */
const maxWaiting = { known: 64, unknownDevices: 32, unknownDevicesAtOne: 8 }

export interface Passwords {
  /** @returns the argon2id hash in PHC form */
  hash(password: string): Promise<string>
  /**
   * Always performs exactly one verification, with or without a hash.
   * @param stored null: there is no account
   * @param unknownDeviceAt the email address that an unknown device tries; null: a known device, which goes
   * first
   * @throws ApiError 503 while too many wait
   */
  verify(stored: string | null, password: string, unknownDeviceAt: string | null): Promise<boolean>
}

/**
 * Password hashing that cannot occupy the whole process: a few at once, some queued, the rest refused with
 * 503.
 */
export function createPasswords(metrics: Metrics): Passwords {
  const verifications = metrics.counter('password_verifications_total', 'Passwords that were verified')
  const known: (() => void)[] = []
  const unknownDevices: { at: string; begin: () => void }[] = []
  let running = 0
  const dummyHash = hash(randomBytes(32), options)

  const isFull = (unknownDeviceAt: string | null): boolean =>
    unknownDeviceAt === null
      ? known.length >= maxWaiting.known
      : unknownDevices.length >= maxWaiting.unknownDevices ||
        unknownDevices.filter(({ at }) => at === unknownDeviceAt).length >= maxWaiting.unknownDevicesAtOne

  async function queued<T>(unknownDeviceAt: string | null, work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (isFull(unknownDeviceAt))
        throw new ApiError(
          503,
          'unavailable',
          'Too many people are signing in right now: try again in a moment',
          { retryAfterSeconds: 2 },
        )
      await new Promise<void>((begin) =>
        unknownDeviceAt === null ? known.push(begin) : unknownDevices.push({ at: unknownDeviceAt, begin }),
      )
    } else running++
    try {
      return await work()
    } finally {
      const next = known.shift() ?? unknownDevices.shift()?.begin
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password) => queued(null, () => hash(password, options)),
    async verify(stored, password, unknownDeviceAt) {
      // Without an account, verify against a dummy hash of the same cost, so that both take the same time.
      const against = stored ?? (await dummyHash)
      const right = await queued(unknownDeviceAt, () => {
        verifications.inc()
        return verify(against, password)
      })
      return right && stored !== null
    },
  }
}

/**
 * Refuses a weak password: too few different characters, or built from the email address. The contract checks
 * its length.
 * @throws ApiError 400 naming `field`
 */
export function requireGoodPassword(password: string, email: string, field = 'password'): void {
  const plain = password.toLowerCase()
  const [name = ''] = email.split('@')
  if (new Set(plain).size < 6)
    throw invalidBody({ field, message: 'needs more different characters', code: 'weak_password' })
  if (plain.includes(email) || (name.length > 3 && plain.startsWith(name) && plain.length < name.length + 6))
    throw invalidBody({ field, message: 'must not be made of the email address', code: 'weak_password' })
}
