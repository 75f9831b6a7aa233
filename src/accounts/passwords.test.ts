import { expect, test } from '@jest/globals'
import { verify } from '@node-rs/argon2'
import fc from 'fast-check'
import { ApiError } from '../platform/errors.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { atOnce, createPasswords, requireGoodPassword } from './passwords.ts'

const metrics = createMetrics('passwords')
const passwords = createPasswords(metrics)
const right = 'quiet-harbour-lantern-7'
const stored = passwords.hash(right)

const verifications = async (): Promise<number> =>
  (await metrics.registry.getSingleMetric('cowry_password_verifications_total')?.get())?.values[0]?.value ?? 0

test("passwords are hashed with argon2id at OWASP's minimum or more, and each hash is different", async () => {
  const hash = await stored
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(hash).not.toBe(await passwords.hash(right))
  // In the form that every other implementation reads.
  expect(await verify(hash, right)).toBe(true)
})

test('every attempt takes exactly one verification, also without an account, which it never signs in', async () => {
  const hash = await stored
  for (const [against, given, expected] of [
    [hash, right, true],
    [hash, `${right} `, false],
    [hash, '', false],
    [null, right, false],
    [null, '', false],
  ] as const) {
    const before = await verifications()
    expect(await passwords.verify(against, given, 'ada@example.com')).toBe(expected)
    expect((await verifications()) - before).toBe(1)
  }
})

test('when too many sign in at once, some are refused at once, the others are served, and it recovers', async () => {
  const hash = await stored
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => passwords.verify(hash, right, null)),
  )
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  // Those running, and 64 queued.
  expect(refused).toHaveLength(100 - 64 - atOnce)
  for (const reason of refused)
    expect(reason).toMatchObject({ status: 503, retryAfterSeconds: expect.any(Number) })
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value)).toHaveLength(
    64 + atOnce,
  )
  expect(await passwords.verify(hash, right, null)).toBe(true)
})

const isGood = (password: string, email: string): boolean => {
  try {
    requireGoodPassword(password, email)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 400 && error.fields?.[0]?.field === 'password')
      return false
    throw error
  }
}

test('a password with few different characters, or built from the email address, is refused', () => {
  const email = 'margarethe@example.com'
  for (const password of [
    'aaaaaaaaaaaa',
    'abababababab',
    'AbcdEaBCDeabcde',
    email,
    `x${email.toUpperCase()}x`,
    'margarethe123',
    'Margarethe12',
  ])
    expect({ password, good: isGood(password, email) }).toEqual({ password, good: false })
  for (const password of [
    right,
    'correct horse battery staple',
    'margarethe likes long walks',
    'пароль-из-слов',
    'x-margarethe-2-y-9',
  ])
    expect({ password, good: isGood(password, email) }).toEqual({ password, good: true })
})

test('a password that contains the whole address is refused', () => {
  fc.assert(
    fc.property(
      fc.emailAddress(),
      fc.string(),
      fc.string(),
      fc.boolean(),
      (address, before, after, upper) => {
        const email = address.toLowerCase()
        expect(isGood(`${before}${upper ? email.toUpperCase() : email}${after}`, email)).toBe(false)
      },
    ),
  )
})

test('unknown devices leave room: those at one account for those at others, all of them for known devices', async () => {
  const hash = await passwords.hash(right)
  const fromUnknownDevice = (count: number, at: string) =>
    Array.from({ length: count }, () => passwords.verify(hash, right, at))
  const crowd = Promise.allSettled(fromUnknownDevice(60, 'one@example.com'))
  const others = Promise.allSettled(fromUnknownDevice(8, 'other@example.com'))
  const known = passwords.verify(hash, right, null)
  const verified = (outcomes: PromiseSettledResult<boolean>[]) =>
    outcomes.filter(({ status }) => status === 'fulfilled').length
  expect(verified(await crowd)).toBe(8 + atOnce)
  expect(verified(await others)).toBe(8)
  expect(await known).toBe(true)
})
