import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { pause } from '../../src/platform/wait.ts'
import { type Receivers, startReceivers } from '../support/badReceivers.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { howMany } from '../support/full.ts'
import { type Behaviour, floodBytes } from '../support/receivers/answers.ts'
import type { Arrival } from '../support/receivers/main.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { roleUrls } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { maxAtOnce, maxOthersInFlight, quantile, spreadOf, waits } from './arrivals.ts'
import {
  arrivalsAt,
  createBusinesses,
  delivered,
  endpointsOf,
  expectedAt,
  interrupted,
  type KnownBusiness,
  type KnownEndpoint,
  type KnownEvent,
  record,
  recordOver,
  troubledFrom,
  troubledSince,
} from './manyEndpoints.ts'

/*
 * A hundred endpoints of eighty businesses on one host, and two workers. Assertions use the arrival and end
 * times recorded by receivers in another process. Latencies of healthy endpoints are compared with those of a
 * second Cowry with only healthy ones, which a busy machine slows down equally.
 */

const timeoutMs = 2500
const inFlight = 8
/** Of each worker; a quarter of them are for endpoints in trouble. */
const endpointsAtOnce = 40
const workerNames = ['worker-0', 'worker-1']
/**
 * In the short form half of what a busy machine of two cores can do: above it, waits would only show how much
 * more two workers must do than one.
 */
const load = { each: howMany(6, 200), atOnce: howMany(3, 5), overMs: howMany(3600, 40_000) }
/** Tolerance for other load on the machine. */
const allowanceMs = 1000
const hanging = howMany(90, 150)

let stack: Stack
let receivers: Receivers
let redis: Redis
let businesses: KnownBusiness[]
/** A worker with its own database, whose endpoints are all healthy. */
let control: { stack: Stack; database: TestDatabase; businesses: KnownBusiness[] }

beforeAll(async () => {
  receivers = await startReceivers()
  stack = await createStack({
    processes: [],
    env: {
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      WEBHOOK_IN_FLIGHT: String(inFlight),
      WEBHOOK_ENDPOINTS_AT_ONCE: String(endpointsAtOnce),
      // Enough for every attempt of this suite; a failing endpoint always has a due delivery.
      WEBHOOK_RETRY_SECONDS: ['0', ...Array.from({ length: 30 }, () => '1')].join(','),
      // Closer to production: each poll notifies all endpoints with due deliveries, including the many that
      // hang.
      RELAY_POLL_MS: '500',
      LOG_LEVEL: 'warn',
    },
  })
  redis = new Redis(stack.redis.url)
  const typesOfBusinesses = Array.from({ length: 80 }, (_, i) => (i % 4 === 0 ? [null, null] : [null]))
  businesses = await createBusinesses(stack, receivers, 'e', typesOfBusinesses)
  const database = await createTestDatabase()
  const controlStack = { ...stack, db: database.db }
  // One worker for half of the endpoints, as two workers serve all.
  const half = typesOfBusinesses.slice(0, typesOfBusinesses.length / 2)
  control = {
    stack: controlStack,
    database,
    businesses: await createBusinesses(controlStack, receivers, 'c', half),
  }
  await Promise.all([
    ...workerNames.map((as) => stack.start('worker', {}, { as })),
    stack.start('worker', { ...roleUrls(database.url), QUEUE_PREFIX: 'control' }, { as: 'control' }),
  ])
  // The first deliveries of a process are slower: it compiles its code and opens its connections.
  await recordBoth({ each: 1, atOnce: 1, overMs: 500 })
  await delivered(stack, endpointsOf(businesses))
  await receivers.report({ forgetEnded: true })
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
  await control?.database.drop()
  await receivers?.close()
})

const to = (arrivals: readonly Arrival[], endpoint: KnownEndpoint) =>
  arrivals.filter((each) => each.to === endpoint.name)

/**
 * A delivery behind a hanging attempt waits for its whole timeout. A busy machine makes each wait longer,
 * also where all are healthy.
 */
function expectNoWait(what: string, waited: readonly number[], whereAllAreHealthy: readonly number[]): void {
  process.stdout.write(
    `\n${what}: ${waited.length} deliveries waited ${spreadOf(waited)}; all healthy: ${spreadOf(whereAllAreHealthy)}\n`,
  )
  expect(quantile(waited, 1)).toBeLessThan(timeoutMs - 500 + quantile(whereAllAreHealthy, 1))
  expect(quantile(waited, 0.99)).toBeLessThan(timeoutMs / 2 + 2 * quantile(whereAllAreHealthy, 0.99))
  // The median is as where all are healthy, even on a busy machine.
  expect(quantile(waited, 0.5)).toBeLessThan(2 * quantile(whereAllAreHealthy, 0.5) + allowanceMs / 4)
}

/** Records events in both Cowrys at the same time. */
async function recordBoth(over: typeof load): Promise<{ events: KnownEvent[]; healthy: KnownEvent[] }> {
  const [events, healthy] = await Promise.all([
    recordOver(stack, businesses, over),
    recordOver(control.stack, control.businesses, over),
  ])
  await delivered(control.stack, endpointsOf(control.businesses))
  return { events, healthy }
}

test('a hundred healthy endpoints get every event once and without delay', async () => {
  expect(endpointsOf(businesses)).toHaveLength(100)
  const { events, healthy } = await recordBoth(load)
  await delivered(stack, endpointsOf(businesses))
  const { arrivals, forged } = await receivers.report({ forgetEnded: true })
  expect(forged).toEqual([])
  expect(arrivalsAt(endpointsOf(businesses), arrivals)).toEqual(expectedAt(endpointsOf(businesses), events))
  expect(await interrupted(stack)).toEqual([])
  expectNoWait('100 healthy ones', waits(events, arrivals), waits(healthy, arrivals))
}, 120_000)

test('one endpoint hangs, one fails, one redirects, one drips, one floods: each stays within its cap, and no healthy delivery waits', async () => {
  // Failing endpoints of businesses with and without a healthy one.
  const all = endpointsOf(businesses)
  const [hangs, healthy, fails, redirects, drips, floods] = [0, 1, 2, 5, 6, 10].map(
    (i) => all[i],
  ) as KnownEndpoint[]
  if (!hangs || !healthy || !fails || !redirects || !drips || !floods) throw new Error('too few endpoints')
  expect(hangs.business).toBe(healthy.business)
  const bad: [KnownEndpoint, Behaviour][] = [
    [hangs, { kind: 'hangs' }],
    [fails, { kind: 'fails' }],
    [redirects, { kind: 'redirects', to: healthy.name }],
    [drips, { kind: 'drips' }],
    [floods, { kind: 'floods' }],
  ]
  const good = all.filter((each) => bad.every(([endpoint]) => endpoint !== each))
  await receivers.behave(Object.fromEntries(bad.map(([{ name }, behaviour]) => [name, behaviour])))
  // The flooding endpoint answers 200: its deliveries succeed.
  const failing = [hangs, fails, redirects, drips]
  const [{ events, healthy: controlArrivals }, troubled] = await Promise.all([
    recordBoth(load),
    Promise.all(failing.map((endpoint) => troubledSince(stack, endpoint))),
  ])
  await delivered(stack, good)
  let { arrivals, forged } = await receivers.report()
  const whereAllAreHealthy = waits(controlArrivals, arrivals)
  /** What a busy machine adds to any time here. */
  const slowMs = quantile(whereAllAreHealthy, 1)
  await waitFor('attempts at each troubled endpoint', async () => {
    ;({ arrivals, forged } = await receivers.report())
    return failing.every(
      (endpoint, i) =>
        to(arrivals, endpoint).filter(({ at }) => at > (troubled[i] ?? 0) + allowanceMs + slowMs).length >= 2,
    )
  })

  expect(forged).toEqual([])
  // The redirect points to one of them.
  expect(arrivalsAt(good, arrivals)).toEqual(expectedAt(good, events))
  expectNoWait(
    '5 bad of 100',
    waits(
      events,
      arrivals.filter(({ to }) => good.some(({ name }) => name === to)),
    ),
    whereAllAreHealthy,
  )
  for (const [endpoint, { kind }] of bad) {
    const received = to(arrivals, endpoint)
    expect([kind, received.length > 0, maxAtOnce(received) <= inFlight]).toEqual([kind, true, true])
    const ended = received.filter(({ end }) => end !== null).map(({ at, end }) => (end ?? at) - at)
    expect([kind, Math.max(...ended) < timeoutMs + allowanceMs + slowMs]).toEqual([kind, true])
  }
  expect(await interrupted(stack)).toEqual([])
  // Deliveries claimed before the endpoint counted as troubled may still be in flight.
  for (const [i, endpoint] of failing.entries())
    expect([
      endpoint.name,
      maxOthersInFlight(to(arrivals, endpoint), (troubled[i] ?? 0) + allowanceMs / 2 + slowMs),
    ]).toEqual([endpoint.name, 0])

  const flooded = to(arrivals, floods)
  const taken = flooded.reduce((sum, { sent }) => sum + sent, 0)
  process.stdout.write(
    `\nof ${flooded.length} floods of ${floodBytes / 1e6} MB the connection took ${(taken / 1e6).toFixed(1)} MB\n`,
  )
  expect(taken).toBeLessThan(flooded.length * floodBytes * 0.5)
  expect(flooded.filter(({ status }) => status !== null)).toEqual([])
}, 120_000)

test('more endpoints hang than there are places: healthy ones wait for first attempts at most, and not at all after that', async () => {
  const healthy = endpointsOf(businesses)
  const others = await createBusinesses(
    stack,
    receivers,
    'h',
    Array.from({ length: hanging / 3 }, () => [null, null, null]),
  )
  const hung = endpointsOf(others)
  await receivers.behave(
    Object.fromEntries(
      [...healthy, ...hung].map((each) => [each.name, { kind: hung.includes(each) ? 'hangs' : 'healthy' }]),
    ),
  )
  await delivered(stack, healthy)
  await receivers.report({ forgetEnded: true })
  const hangingNow = async () =>
    (await receivers.report()).arrivals.filter(({ to, end }) => to.startsWith('h') && end === null)

  await recordOver(stack, others, { each: 12, atOnce: 6, overMs: 500 })
  const early = await recordOver(stack, businesses, { ...load, each: load.atOnce, overMs: 1000 })
  await delivered(stack, healthy)
  const earlyWaits = waits(early, (await receivers.report()).arrivals)
  process.stdout.write(
    `\n${hanging} started to hang: ${earlyWaits.length} deliveries waited ${spreadOf(earlyWaits)}\n`,
  )
  // Each hanging endpoint gets at most two rounds of attempts before it counts as troubled, in all places.
  expect(quantile(earlyWaits, 1)).toBeLessThan(
    2 * Math.ceil(hanging / (workerNames.length * endpointsAtOnce)) * timeoutMs + allowanceMs,
  )

  const places = (workerNames.length * endpointsAtOnce) / 4
  await waitFor(
    'no more hanging attempts than places for them',
    async () => {
      const sql = 'select 1 from webhook_endpoints where id = any($1::uuid[]) and consecutive_failures >= $2'
      const known = (await stack.db.query(sql, [hung.map(({ id }) => id), troubledFrom])).length
      return known === hanging && (await hangingNow()).length <= places
    },
    60_000,
  )
  const from = Date.now()
  // As long as a hanging attempt, so that others start meanwhile.
  const { events, healthy: controlArrivals } = await recordBoth({
    ...load,
    each: load.each / 2,
    overMs: Math.max(timeoutMs, load.overMs / 2),
  })
  await delivered(stack, healthy)
  let arrivals: Arrival[] = []
  await waitFor('attempts at hanging endpoints', async () => {
    ;({ arrivals } = await receivers.report())
    return arrivals.some(({ to, at }) => to.startsWith('h') && at > from)
  })
  expect(arrivalsAt(healthy, arrivals)).toEqual(expectedAt(healthy, [...early, ...events]))
  expect(await interrupted(stack)).toEqual([])
  // Start and end of attempts to different endpoints are seen in any order, so slightly more than the places
  // may appear.
  const inSight = arrivals.filter(
    ({ to, at, end }) => to.startsWith('h') && (at > from || end === null || end > from),
  )
  expect(maxAtOnce(inSight)).toBeLessThanOrEqual(1.25 * places)
  expectNoWait(`${hanging} more that hang`, waits(events, arrivals), waits(controlArrivals, arrivals))
  // Their deliveries are not lost.
  await receivers.behave(Object.fromEntries(hung.map(({ name }) => [name, { kind: 'healthy' }])))
  await delivered(stack, hung)
}, 120_000)

test('when Redis loses the claims of endpoints, two workers serve one endpoint, and its cap holds', async () => {
  const few = businesses.slice(0, 4)
  const slow = endpointsOf(few)
  /** Few attempts that take long: a busy machine has time to start as many at once as the cap allows. */
  const [each, takesMs] = [60, 500]
  await receivers.behave(
    Object.fromEntries(
      endpointsOf(businesses).map((each) => [
        each.name,
        slow.includes(each) ? { kind: 'takes', ms: takesMs } : { kind: 'healthy' },
      ]),
    ),
  )
  await delivered(stack, endpointsOf(businesses))
  await receivers.report({ forgetEnded: true })
  const events = (await Promise.all(few.map((business) => record(stack, business, each)))).flat()
  for (
    let received = 0;
    received < slow.length * 0.9 * each;
    received = (await receivers.report()).arrivals.length
  ) {
    await redis.flushall()
    await pause(100)
  }
  await delivered(stack, slow)
  const { arrivals } = await receivers.report({ forgetEnded: true })
  expect(arrivalsAt(slow, arrivals)).toEqual(expectedAt(slow, events))
  expect(Math.max(...slow.map((endpoint) => maxAtOnce(to(arrivals, endpoint))))).toBe(inFlight)
  expect(await interrupted(stack)).toEqual([])
}, 120_000)

test('endpoints with a constant backlog do not delay the others, even with fewer places than such endpoints', async () => {
  const busy = businesses.slice(0, 8)
  const quiet = businesses.slice(8, 48)
  const slow = endpointsOf(busy).map(({ name }) => [name, { kind: 'takes', ms: 300 }] as const)
  await Promise.all(workerNames.map((as) => stack.stop(as)))
  await receivers.behave(Object.fromEntries(slow))
  const backlog = (await Promise.all(busy.map((business) => record(stack, business, 600)))).flat()
  await Promise.all(
    workerNames.map((as) => stack.start('worker', { WEBHOOK_ENDPOINTS_AT_ONCE: '2' }, { as })),
  )
  const backlogged = new Set(backlog.map(({ n }) => n))
  const busyIn = (arrivals: readonly Arrival[]) =>
    new Set(arrivals.filter(({ n }) => backlogged.has(n)).map(({ to, n }) => `${to} ${n}`)).size
  await waitFor('work on the backlog', async () => busyIn((await receivers.report()).arrivals) > 4 * inFlight)
  const asked = await recordOver(stack, quiet, { each: 2, atOnce: 2, overMs: 500 })
  await delivered(stack, endpointsOf(quiet), 20_000)
  const { arrivals } = await receivers.report()
  const waited = waits(asked, arrivals)
  const left = endpointsOf(busy).length * 600 - busyIn(arrivals)
  process.stdout.write(
    `\n${waited.length} deliveries next to a backlog of ${left} waited ${spreadOf(waited)}\n`,
  )
  expect(left).toBeGreaterThan(600)
  expect(quantile(waited, 1)).toBeLessThan(10_000)
}, 120_000)
