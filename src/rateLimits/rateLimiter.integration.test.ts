import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as tick } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { type LocalRedis, startRedis } from '../../scripts/local/redis.ts'
import { newId } from '../platform/ids.ts'
import { openImpatientRedis, type RedisClient } from '../platform/redis/redis.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createRateLimiter, type Limit } from './rateLimiter.ts'

const log = createLog('limiter', 'silent')
const connections: RedisClient[] = []
let home: string
let redis: LocalRedis

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cowry-limiter-'))
  redis = await startRedis({ home, durable: false })
})
afterAll(async () => {
  for (const connection of connections) connection.disconnect()
  await redis?.stop()
  rmSync(home, { recursive: true, force: true })
})
afterEach(() => void jest.restoreAllMocks())

/** The limiter of one process. */
async function limiterOn(connection: RedisClient) {
  connections.push(connection)
  const metrics = createMetrics('limiter')
  const limiter = createRateLimiter({ redis: connection, log, metrics }, 'test')
  const local = async () =>
    (await metrics.registry.getSingleMetric('cowry_rate_limits_local')?.get())?.values[0]?.value
  return { limiter, local }
}

async function sharing() {
  const connection = openImpatientRedis({ REDIS_URL: redis.url }, log)
  await new Promise((resolve) => connection.once('ready', resolve))
  return limiterOn(connection)
}

/** The limiter of a process without Redis. */
const alone = () => limiterOn(new Redis({ lazyConnect: true }))

const limitOf = (max: number, of = newId(), windowSeconds = 60): Limit => ({
  name: 'key',
  of,
  max,
  windowSeconds,
})

test('counts go down to zero, and further ones are over the limit', async () => {
  for (const { limiter } of [await sharing(), await alone()]) {
    const limit = limitOf(3)
    const standings = []
    for (let i = 0; i < 5; i++) standings.push(await limiter.count(limit))
    expect(standings.map(({ remaining, over }) => ({ remaining, over }))).toEqual([
      { remaining: 2, over: false },
      { remaining: 1, over: false },
      { remaining: 0, over: false },
      { remaining: 0, over: true },
      { remaining: 0, over: true },
    ])
    for (const { resetSeconds } of standings) {
      expect(resetSeconds).toBeGreaterThan(50)
      expect(resetSeconds).toBeLessThanOrEqual(60)
    }
  }
})

test('two processes share a count, also concurrently, and never admit more', async () => {
  const [one, two] = [await sharing(), await sharing()]
  const limit = limitOf(50)
  const standings = await Promise.all(
    Array.from({ length: 200 }, (_, i) => (i % 2 ? one : two).limiter.count(limit)),
  )
  expect(standings.filter(({ over }) => !over)).toHaveLength(50)
  expect(new Set(standings.map(({ remaining }) => remaining)).size).toBe(50)
})

test('a cost counts as many, and returned counts are free again', async () => {
  for (const { limiter } of [await sharing(), await alone()]) {
    const limit = limitOf(10)
    expect(await limiter.count(limit, 5)).toMatchObject({ remaining: 5 })
    await limiter.giveBack(limit, 2)
    expect(await limiter.count(limit)).toMatchObject({ remaining: 6 })
  }
})

test('owners, names and windows each have their own count', async () => {
  const { limiter } = await sharing()
  const limit = limitOf(5)
  const others: Limit[] = [
    { ...limit, of: newId() },
    { ...limit, name: 'business' },
    { ...limit, windowSeconds: 3600 },
  ]
  for (const each of [limit, ...others]) expect(await limiter.count(each)).toMatchObject({ remaining: 4 })
})

test('a window has a fixed end, which later requests do not move', async () => {
  const { limiter } = await alone()
  const limit = limitOf(2, newId(), 10)
  const start = Date.now()
  const clock = jest.spyOn(Date, 'now')
  for (const [seconds, over] of [
    [0, false],
    [4, false],
    [8, true],
    [9.9, true],
    [10.1, false],
  ] as const) {
    clock.mockReturnValue(start + seconds * 1000)
    expect({ seconds, over: (await limiter.count(limit)).over }).toEqual({ seconds, over })
  }
})

test('a process without Redis counts by itself, and reports it', async () => {
  const { limiter, local } = await alone()
  expect(await local()).toBe(0)
  const limit = limitOf(3)
  const standings = await Promise.all(Array.from({ length: 20 }, () => limiter.count(limit)))
  expect(standings.filter(({ over }) => !over)).toHaveLength(3)
  expect(await local()).toBe(1)
})

test('a process that was busy for a while keeps the counts: keeping it busy gives no second limit', async () => {
  const { limiter } = await sharing()
  const limit = limitOf(3)
  for (let i = 0; i < 3; i++) await limiter.count(limit)
  for (let i = 0; i < 5; i++) {
    const counting = limiter.count(limit)
    // The command is sent; its answer arrives while the process is busy.
    await tick()
    await tick()
    for (const until = performance.now() + 400; performance.now() < until; );
    expect(await counting).toMatchObject({ over: true })
  }
})

test('the memory of local counts is bounded for any number of owners', async () => {
  const { limiter } = await alone()
  const bound = 2 ** 17
  const owners = 135_000
  let unknown = 0
  for (let i = 0; i < owners; i++)
    if ((await limiter.count(limitOf(1000, `owner ${i}`))).remaining === 999) unknown++
  // An owner with no count of its own shares one. Hashes spread evenly, so most places are taken.
  expect(unknown).toBeLessThanOrEqual(bound)
  expect(unknown).toBeGreaterThan(bound / 2)
})

test('callers over a limit are held back, a hundred at a time: more are answered at once, so that they do not keep their connections', async () => {
  const { limiter } = await sharing()
  const ended = new Set<number>()
  const held = Array.from({ length: 100 }, (_, i) => limiter.holdBack().then(() => void ended.add(i)))
  const began = performance.now()
  await limiter.holdBack()
  expect(ended.size).toBe(0)
  await Promise.all(held)
  expect(performance.now() - began).toBeGreaterThan(400)
  const again = performance.now()
  await limiter.holdBack()
  expect(performance.now() - again).toBeGreaterThan(400)
})

test('a cost that is given back while another request finds the limit used up leaves room at once', async () => {
  const { limiter } = await sharing()
  const limit = limitOf(1)
  await limiter.count(limit)
  const [standing] = await Promise.all([limiter.count(limit), limiter.giveBack(limit, 2)])
  expect(standing.over).toBe(true)
  expect(limiter.usedUp(limit)).toBeNull()
})
