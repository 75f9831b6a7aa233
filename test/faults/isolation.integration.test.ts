import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { pause } from '../../src/platform/wait.ts'
import { type Receivers, startReceivers } from '../support/badReceivers.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { howMany } from '../support/full.ts'
import type { Behaviour } from '../support/receivers/answers.ts'
import type { Arrival } from '../support/receivers/main.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { roleUrls } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { maxAtOnce, maxBeside, quantile, spreadOf, waits } from './arrivals.ts'
import {
  cameTo,
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
 * A hundred endpoints of eighty businesses on one host, and two workers. What is asserted is what the receivers, in a process of their own,
 * wrote down of the times at which requests came and ended. What healthy ones wait is compared with what those of another Cowry wait, which
 * has only such, at the same time: a machine that is busy slows down both.
 */

const timeoutMs = 4000
const inFlight = 8
/** Of each worker; a quarter of them are for endpoints that are in trouble. */
const endpointsAtOnce = 40
const workerNames = ['worker-0', 'worker-1']
const load = { each: howMany(10, 200), atOnce: 5, overMs: howMany(3000, 40_000) }
/** What another process on the machine may take of the time of ours. */
const allowanceMs = 1000
const hanging = howMany(90, 150)

let stack: Stack
let receivers: Receivers
let redis: Redis
let businesses: KnownBusiness[]
/** A worker with a database of its own, whose endpoints are all healthy. */
let control: { stack: Stack; database: TestDatabase; businesses: KnownBusiness[] }

beforeAll(async () => {
  receivers = await startReceivers()
  stack = await createStack({
    processes: [],
    env: {
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      WEBHOOK_IN_FLIGHT: String(inFlight),
      WEBHOOK_ENDPOINTS_AT_ONCE: String(endpointsAtOnce),
      // Long enough for every attempt of this suite; a bad endpoint always has something due.
      WEBHOOK_RETRY_SECONDS: ['0', ...Array.from({ length: 30 }, () => '1')].join(','),
      // Nearer to production: each look wakes all endpoints that have something due, the many that hang as well.
      RELAY_POLL_MS: '500',
      LOG_LEVEL: 'warn',
    },
  })
  redis = new Redis(stack.redis.url)
  const wanted = Array.from({ length: 80 }, (_, i) => (i % 4 === 0 ? [null, null] : [null]))
  businesses = await createBusinesses(stack, receivers, 'e', wanted)
  const database = await createTestDatabase()
  const apart = { ...stack, db: database.db }
  // One worker of the two for half of the endpoints.
  const half = wanted.slice(0, wanted.length / 2)
  control = { stack: apart, database, businesses: await createBusinesses(apart, receivers, 'c', half) }
  await Promise.all([
    ...workerNames.map((as) => stack.start('worker', {}, { as })),
    stack.start('worker', { ...roleUrls(database.url), QUEUE_PREFIX: 'control' }, { as: 'control' }),
  ])
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
  await control?.database.drop()
  await receivers?.close()
})

const to = (arrivals: readonly Arrival[], endpoint: KnownEndpoint) => arrivals.filter((each) => each.to === endpoint.name)

/** Whoever waits for an attempt that hangs waits for all of its time. What the machine makes of it is less. */
function expectNoWait(what: string, waited: readonly number[], whereAllAreHealthy: readonly number[]): void {
  process.stdout.write(`\n${what}: ${waited.length} deliveries waited ${spreadOf(waited)}; where all are healthy ${spreadOf(whereAllAreHealthy)}\n`)
  expect(quantile(waited, 1)).toBeLessThan(timeoutMs - 500)
  expect(quantile(waited, 0.99)).toBeLessThan(timeoutMs / 2)
  // Half of them wait as where all are healthy, on a busy machine too.
  expect(quantile(waited, 0.5)).toBeLessThan(2 * quantile(whereAllAreHealthy, 0.5) + allowanceMs / 4)
}

/** Records for both Cowrys at the same time. */
async function recordBoth(over: typeof load): Promise<{ events: KnownEvent[]; healthy: KnownEvent[] }> {
  const [events, healthy] = await Promise.all([recordOver(stack, businesses, over), recordOver(control.stack, control.businesses, over)])
  await delivered(control.stack, endpointsOf(control.businesses))
  return { events, healthy }
}

test('a hundred healthy endpoints get every event once and soon', async () => {
  expect(endpointsOf(businesses)).toHaveLength(100)
  const { events, healthy } = await recordBoth(load)
  await delivered(stack, endpointsOf(businesses))
  const { arrivals, forged } = await receivers.report({ forgetEnded: true })
  expect(forged).toEqual([])
  expect(cameTo(endpointsOf(businesses), arrivals)).toEqual(expectedAt(endpointsOf(businesses), events))
  expect(await interrupted(stack)).toEqual([])
  expectNoWait('100 healthy ones', waits(events, arrivals), waits(healthy, arrivals))
}, 120_000)

test('one hangs, one fails, one redirects, one drips, one floods: each holds its cap and no more, and no healthy delivery waits', async () => {
  // Of businesses with a healthy endpoint beside the bad one, and of such with one alone.
  const all = endpointsOf(businesses)
  const [hangs, healthy, fails, redirects, drips, floods] = [0, 1, 2, 5, 6, 10].map((i) => all[i]) as KnownEndpoint[]
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
  // What floods answers 200: its deliveries are made.
  const failing = [hangs, fails, redirects, drips]
  const [{ events, healthy: elsewhere }, troubled] = await Promise.all([
    recordBoth(load),
    Promise.all(failing.map((endpoint) => troubledSince(stack, endpoint))),
  ])
  await delivered(stack, good)
  let { arrivals, forged } = await receivers.report()
  await waitFor('attempts at each that is in trouble', async () => {
    ;({ arrivals, forged } = await receivers.report())
    return failing.every((endpoint, i) => to(arrivals, endpoint).filter(({ at }) => at > (troubled[i] ?? 0) + allowanceMs).length >= 2)
  })

  expect(forged).toEqual([])
  // The redirect led to one of them.
  expect(cameTo(good, arrivals)).toEqual(expectedAt(good, events))
  expectNoWait(
    '5 bad of 100',
    waits(
      events,
      arrivals.filter(({ to }) => good.some(({ name }) => name === to)),
    ),
    waits(elsewhere, arrivals),
  )
  for (const [endpoint, { kind }] of bad) {
    const came = to(arrivals, endpoint)
    expect([kind, came.length > 0, maxAtOnce(came) <= inFlight]).toEqual([kind, true, true])
    const ended = came.filter(({ end }) => end !== null).map(({ at, end }) => (end ?? at) - at)
    expect([kind, Math.max(...ended) < timeoutMs + allowanceMs]).toEqual([kind, true])
  }
  expect(await interrupted(stack)).toEqual([])
  // What was claimed before it was known may still be on its way.
  for (const [i, endpoint] of failing.entries())
    expect([endpoint.name, maxBeside(to(arrivals, endpoint), (troubled[i] ?? 0) + allowanceMs / 2)]).toEqual([endpoint.name, 0])

  const flooded = to(arrivals, floods)
  const megabytes = flooded.reduce((sum, { sent }) => sum + sent, 0) / 1e6
  process.stdout.write(`\nof ${flooded.length} floods of 10 MB the connection took ${megabytes.toFixed(1)} MB\n`)
  expect(megabytes).toBeLessThan(flooded.length * 10 * 0.5)
  expect(flooded.filter(({ status }) => status !== null)).toEqual([])
}, 120_000)

test('many more endpoints hang than there are places: the healthy wait for their first attempts at most, and not at all once it is known', async () => {
  const healthy = endpointsOf(businesses)
  const others = await createBusinesses(
    stack,
    receivers,
    'h',
    Array.from({ length: hanging / 3 }, () => [null, null, null]),
  )
  const hung = endpointsOf(others)
  await receivers.behave(Object.fromEntries([...healthy, ...hung].map((each) => [each.name, { kind: hung.includes(each) ? 'hangs' : 'healthy' }])))
  await delivered(stack, healthy)
  await receivers.report({ forgetEnded: true })
  const hangingNow = async () => (await receivers.report()).arrivals.filter(({ to, end }) => to.startsWith('h') && end === null)

  await recordOver(stack, others, { each: 12, atOnce: 6, overMs: 500 })
  const early = await recordOver(stack, businesses, { ...load, each: load.atOnce, overMs: 1000 })
  await delivered(stack, healthy)
  const earlyWaits = waits(early, (await receivers.report()).arrivals)
  process.stdout.write(`\n${hanging} begin to hang: ${earlyWaits.length} deliveries waited ${spreadOf(earlyWaits)}\n`)
  // Each of the hanging has at most two rounds of attempts before it is known, in as many places as there are.
  expect(quantile(earlyWaits, 1)).toBeLessThan(2 * Math.ceil(hanging / (workerNames.length * endpointsAtOnce)) * timeoutMs + allowanceMs)

  const places = (workerNames.length * endpointsAtOnce) / 4
  await waitFor(
    'only as many that hang as there are places for them',
    async () => {
      const sql = 'select 1 from webhook_endpoints where id = any($1::uuid[]) and consecutive_failures >= $2'
      const known = (await stack.db.query(sql, [hung.map(({ id }) => id), troubledFrom])).length
      return known === hanging && (await hangingNow()).length <= places
    },
    60_000,
  )
  const from = Date.now()
  // As long as an attempt that hangs, so that others begin meanwhile.
  const { events, healthy: elsewhere } = await recordBoth({ ...load, each: load.each / 2, overMs: Math.max(timeoutMs, load.overMs / 2) })
  await delivered(stack, healthy)
  const { arrivals } = await receivers.report()
  expect(cameTo(healthy, arrivals)).toEqual(expectedAt(healthy, [...early, ...events]))
  const tried = arrivals.filter(({ to, at }) => to.startsWith('h') && at > from)
  expect(tried.length).toBeGreaterThan(0)
  expect(await interrupted(stack)).toEqual([])
  // The end of one and the beginning of another, of another endpoint, are heard in either order: some more than there are places.
  const inSight = arrivals.filter(({ to, at, end }) => to.startsWith('h') && (at > from || end === null || end > from))
  expect(maxAtOnce(inSight)).toBeLessThanOrEqual(1.25 * places)
  expectNoWait(`${hanging} more that hang`, waits(events, arrivals), waits(elsewhere, arrivals))
  // And nothing of theirs was lost.
  await receivers.behave(Object.fromEntries(hung.map(({ name }) => [name, { kind: 'healthy' }])))
  await delivered(stack, hung)
}, 120_000)

test('when Redis forgets who is at work, two workers meet at one endpoint, and its cap holds', async () => {
  const few = businesses.slice(0, 4)
  const slow = endpointsOf(few)
  await receivers.behave(
    Object.fromEntries(endpointsOf(businesses).map((each) => [each.name, slow.includes(each) ? { kind: 'takes', ms: 150 } : { kind: 'healthy' }])),
  )
  await delivered(stack, endpointsOf(businesses))
  await receivers.report({ forgetEnded: true })
  const events = (await Promise.all(few.map((business) => record(stack, business, 200)))).flat()
  for (let came = 0; came < slow.length * 175; came = (await receivers.report()).arrivals.length) {
    await redis.flushall()
    await pause(100)
  }
  await delivered(stack, slow)
  const { arrivals } = await receivers.report({ forgetEnded: true })
  expect(cameTo(slow, arrivals)).toEqual(expectedAt(slow, events))
  expect(Math.max(...slow.map((endpoint) => maxAtOnce(to(arrivals, endpoint))))).toBe(inFlight)
  expect(await interrupted(stack)).toEqual([])
}, 60_000)

test('endpoints that always have something due do not keep the others waiting, though there are fewer places than such endpoints', async () => {
  const busy = businesses.slice(0, 8)
  const quiet = businesses.slice(8, 48)
  const slow = endpointsOf(busy).map(({ name }) => [name, { kind: 'takes', ms: 300 }] as const)
  await Promise.all(workerNames.map((as) => stack.stop(as)))
  await receivers.behave(Object.fromEntries(slow))
  const backlog = (await Promise.all(busy.map((business) => record(stack, business, 600)))).flat()
  await Promise.all(workerNames.map((as) => stack.start('worker', { WEBHOOK_ENDPOINTS_AT_ONCE: '2' }, { as })))
  const backlogged = new Set(backlog.map(({ n }) => n))
  const busyIn = (arrivals: readonly Arrival[]) => new Set(arrivals.filter(({ n }) => backlogged.has(n)).map(({ to, n }) => `${to} ${n}`)).size
  await waitFor('work on the backlog', async () => busyIn((await receivers.report()).arrivals) > 4 * inFlight)
  const asked = await recordOver(stack, quiet, { each: 2, atOnce: 2, overMs: 500 })
  await delivered(stack, endpointsOf(quiet), 20_000)
  const { arrivals } = await receivers.report()
  const waited = waits(asked, arrivals)
  const left = endpointsOf(busy).length * 600 - busyIn(arrivals)
  process.stdout.write(`\n${waited.length} deliveries beside ${left} that are left of a backlog waited ${spreadOf(waited)}\n`)
  expect(left).toBeGreaterThan(600)
  expect(quantile(waited, 1)).toBeLessThan(10_000)
}, 120_000)
