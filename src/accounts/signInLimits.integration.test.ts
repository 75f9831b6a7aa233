import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type LocalRedis, startRedis } from '../../scripts/local/redis.ts'
import { ApiError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { openImpatientRedis } from '../platform/redis/redis.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createRateLimiter, type RateLimiter } from '../rateLimits/rateLimiter.ts'
import { countGuess, type Guesser } from './signInLimits.ts'

let home: string
let redis: LocalRedis
let limiter: RateLimiter
let disconnect = () => {}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cowry-limits-'))
  redis = await startRedis({ home, durable: false })
  const log = createLog('limits', 'silent')
  const connection = openImpatientRedis({ REDIS_URL: redis.url }, log)
  await new Promise((resolve) => connection.once('ready', resolve))
  disconnect = () => connection.disconnect()
  limiter = createRateLimiter({ redis: connection, log, metrics: createMetrics('limits') }, 'test')
})
afterAll(async () => {
  disconnect()
  await redis?.stop()
  rmSync(home, { recursive: true, force: true })
})

type Outcome = 'wrong' | 'wrongCode' | 'right'

/** One guess. @returns how far it came */
async function guess(guesser: Guesser, outcome: Outcome): Promise<'verified' | 'own limit' | 'locked'> {
  try {
    const counted = await countGuess({ limiter }, guesser)
    if (outcome === 'wrongCode' && !counted.lockedForUnknownDevices()) await counted.countCode(guesser.email)
    if (counted.lockedForUnknownDevices()) return 'locked'
    if (outcome === 'right') await counted.giveBack()
    return 'verified'
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return 'own limit'
    throw error
  }
}

/** An account, with a browser and a network that it knows. */
const owner = () => {
  const accountId = newId()
  const email = `${accountId}@example.com`
  const network = `network-${accountId}`
  return {
    unknownDevice: (address: string): Guesser => ({ email, address: `${address}-${accountId}`, known: null }),
    inBrowser: (address: string): Guesser => ({
      email,
      address,
      known: { accountId, device: `device-${accountId}` },
    }),
    atHome: { email, address: network, known: { accountId, device: null } } as Guesser,
  }
}

const outcome = fc.constantFrom<Outcome>('wrong', 'wrong', 'wrongCode', 'right')
const unknownDevicesGuess = fc.record({
  who: fc.constant('unknownDevice' as const),
  address: fc.nat(8).map(String),
  outcome,
  times: fc.integer({ min: 1, max: 25 }),
})
const ownersGuess = fc.record({
  who: fc.constantFrom('browser' as const, 'home' as const),
  address: fc.nat(8).map(String),
  outcome,
  times: fc.constant(1),
})

test('no sequence of guesses from unknown devices uses up the limit of a known browser or network', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 2, arbitrary: unknownDevicesGuess }, ownersGuess), { maxLength: 30 }),
      async (guesses) => {
        const { unknownDevice, inBrowser, atHome } = owner()
        // The cost of the owner's own guesses, by device.
        const cost = { browser: 0, home: 0 }
        for (const { who, address, outcome: how, times } of guesses) {
          if (who === 'unknownDevice') {
            for (let i = 0; i < times; i++) await guess(unknownDevice(address), how)
            continue
          }
          const verified = await guess(who === 'browser' ? inBrowser(address) : atHome, how)
          const wouldBe = cost[who] + (how === 'wrongCode' && cost[who] < 20 ? 5 : 1)
          expect(verified).toBe(wouldBe <= 20 ? 'verified' : 'own limit')
          if (how !== 'right' || wouldBe > 20) cost[who] = wouldBe
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('one address cannot use up the shared limit of an account', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 150 }), async (outcomes) => {
      const { unknownDevice } = owner()
      for (const how of outcomes) await guess(unknownDevice('one'), how)
      expect(await guess(unknownDevice('another'), 'wrong')).toBe('verified')
    }),
    { numRuns: 20 },
  )
})

test('nor can it with many concurrent wrong codes', async () => {
  const { unknownDevice } = owner()
  await Promise.all(Array.from({ length: 60 }, () => guess(unknownDevice('one'), 'wrongCode')))
  expect(await guess(unknownDevice('another'), 'wrong')).toBe('verified')
})

test('an address has 20 guesses over all accounts, sequential or concurrent', async () => {
  const accounts = Array.from({ length: 100 }, owner)
  const address = newId()
  const from = ({ unknownDevice }: ReturnType<typeof owner>): Guesser => ({ ...unknownDevice(''), address })
  const oneByOne: string[] = []
  for (const account of accounts.slice(0, 30)) oneByOne.push(await guess(from(account), 'wrong'))
  expect(oneByOne).toEqual([...Array(20).fill('verified'), ...Array(10).fill('own limit')])
  const other = newId()
  const atOnce = await Promise.all(
    accounts.map((account) => guess({ ...from(account), address: other }, 'wrong')),
  )
  expect(atOnce.filter((each) => each === 'verified')).toHaveLength(20)
})

test('an account has 60 guesses for all unknown devices together, sequential or concurrent', async () => {
  const [slow, quick] = [owner(), owner()]
  const oneByOne: string[] = []
  for (let i = 0; i < 70; i++) oneByOne.push(await guess(slow.unknownDevice(`a${i}`), 'wrong'))
  expect(oneByOne).toEqual([...Array(60).fill('verified'), ...Array(10).fill('locked')])
  const atOnce = await Promise.all(
    Array.from({ length: 200 }, (_, i) => guess(quick.unknownDevice(`b${i}`), 'wrong')),
  )
  expect(atOnce.filter((each) => each === 'verified')).toHaveLength(60)
})

test('a wrong code costs five guesses', async () => {
  const { unknownDevice, inBrowser, atHome } = owner()
  for (const guesser of [unknownDevice('a'), inBrowser('a'), atHome]) {
    const answers: string[] = []
    for (let i = 0; i < 5; i++) answers.push(await guess(guesser, 'wrongCode'))
    expect(answers).toEqual([...Array(4).fill('verified'), 'own limit'])
  }
})

test('right answers cost nothing, however often', async () => {
  const { unknownDevice, atHome } = owner()
  for (const guesser of [unknownDevice('a'), atHome])
    for (let i = 0; i < 50; i++) expect(await guess(guesser, 'right')).toBe('verified')
})

test('Redis never holds the email address', async () => {
  const { unknownDevice } = owner()
  const limits = new Set<string>()
  const counting: RateLimiter = {
    ...limiter,
    count: (limit, cost) => {
      limits.add(`${limit.name} ${limit.of}`)
      return limiter.count(limit, cost)
    },
  }
  await countGuess({ limiter: counting }, unknownDevice('a'))
  expect([...limits].filter((each) => each.startsWith('sign-in-account'))).toHaveLength(1)
  expect([...limits].join()).not.toContain('@')
})
