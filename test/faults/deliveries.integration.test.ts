import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { incomingFailpoints } from '../../src/capabilities.ts'
import type { Failpoint } from '../../src/platform/failpoints.ts'
import { pause } from '../../src/platform/wait.ts'
import { type Receivers, startReceivers } from '../support/badReceivers.ts'
import { howMany } from '../support/full.ts'
import { faults } from '../support/receivers/answers.ts'
import type { Report } from '../support/receivers/main.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { accepted, longestSilence, servingClock } from './arrivals.ts'
import {
  createBusinesses,
  type EventTypes,
  endpointsOf,
  type KnownBusiness,
  type KnownEndpoint,
  type KnownEvent,
  keyOf,
  record,
} from './manyEndpoints.ts'
import { seeded } from './random.ts'

/*
 * Many deliveries (100,000 in the long form) to forty endpoints that fail in many ways, by two workers that
 * are killed in turn, while Redis is flushed now and then. The receivers count arrivals independently of our
 * code.
 */

const wantedDeliveries = howMany(600, 100_000)
const seed = 20_261_121
const random = seeded(seed)
const share = 0.15
const timeoutMs = 1000
/** Event types of each business's two endpoints. */
const eventTypes: readonly EventTypes[] = [
  [null, null],
  [null, ['session.*']],
  [null, ['session.paid', 'transfer.confirmed']],
  [['session.*'], ['transaction.*', 'transfer.*']],
]
const failpoints = incomingFailpoints.filter((name) => name.startsWith('webhook-delivery.'))
/** In addition to one kill before each failpoint. */
const kills = howMany(1, 40)
const flushes = howMany(2, 20)
/**
 * Maximum time without an arrival at an endpoint with due deliveries. Allows for three kills in a row of the
 * worker notified for it: each notification can be missed for three seconds, and claims are held for two
 * deadlines.
 */
const silenceMs = 15_000
/** For a worker to start and to reach its failpoint. */
const endsWithinMs = 90_000

let stack: Stack
let receivers: Receivers
let redis: Redis
let businesses: KnownBusiness[]
let report: Report
const events: KnownEvent[] = []
const proofs = mkdtempSync(join(tmpdir(), 'cowry-deliveries-'))
const names = ['worker-0', 'worker-1'] as const

beforeAll(async () => {
  receivers = await startReceivers(seed)
  stack = await createStack({
    processes: ['api'],
    env: {
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      // Interrupted attempts count, and no delivery may reach the end of its schedule.
      WEBHOOK_RETRY_SECONDS: ['0', ...Array.from({ length: 60 }, () => '1')].join(','),
      // Fewer places than endpoints.
      WEBHOOK_ENDPOINTS_AT_ONCE: '16',
      LOG_LEVEL: 'warn',
    },
  })
  redis = new Redis(stack.redis.url)
  businesses = await createBusinesses(
    stack,
    receivers,
    'd',
    Array.from({ length: 20 }, (_, i) => eventTypes[i % eventTypes.length] ?? [null]),
  )
  await receivers.behave(
    Object.fromEntries(endpointsOf(businesses).map(({ name }) => [name, { kind: 'random', share }])),
  )
  await Promise.all(names.map((as) => stack.start('worker', {}, { as })))
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
  await receivers?.close()
  rmSync(proofs, { recursive: true })
})

const expectedOf = (endpoint: KnownEndpoint) =>
  events.filter((event) => event.business === endpoint.business && endpoint.takes(event.type))
let deliveries = 0

/** Records a few events for each business. */
async function recordSome(): Promise<void> {
  for (const business of businesses) {
    const some = await record(stack, business, 1 + Math.floor(random() * 3))
    events.push(...some)
    for (const { type } of some)
      deliveries += business.endpoints.filter((endpoint) => endpoint.takes(type)).length
  }
}

/** Records the requested number of deliveries; then a few at a time while `goesOn`. */
async function recordWhile(min: number, goesOn: () => boolean = () => false): Promise<void> {
  const enough = deliveries + min
  const until = Date.now() + endsWithinMs
  while (deliveries < enough) await recordSome()
  while (goesOn()) {
    if (Date.now() > until) throw new Error(`a worker did not reach its failpoint\n${stack.troubles()}`)
    await recordSome()
    await pause(200)
  }
}

type WorkerName = (typeof names)[number]

/** Kills a worker at a random moment; does not wait until its successor is ready. */
async function killAnywhere(
  as: WorkerName,
  min: number,
  env: Record<string, string> = {},
): Promise<CowryProcess> {
  await recordWhile(Math.floor(random() * min))
  const doomed = stack.processes.get(as)
  doomed?.kill('SIGKILL')
  await doomed?.ended
  return stack.launch('worker', env, { as })
}

/** Kills a worker at a random moment, and its successor at a failpoint. */
async function killAt(name: Failpoint, as: WorkerName, min: number): Promise<void> {
  const proof = join(proofs, name)
  const doomed = await killAnywhere(as, min / 2, { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof })
  await recordWhile(min / 2, () => doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  stack.launch('worker', {}, { as })
}

async function flush(min: number): Promise<void> {
  await recordWhile(Math.floor(random() * min))
  await redis.flushall()
}

test('all deliveries end although receivers fail, workers are killed at every failpoint, and Redis is flushed', async () => {
  const began = Date.now()
  const troubles = [
    ...failpoints.map((name) => (as: WorkerName, min: number) => killAt(name, as, min)),
    ...Array.from({ length: kills }, () => (as: WorkerName, min: number) => killAnywhere(as, min)),
    ...Array.from({ length: flushes }, () => (_: WorkerName, min: number) => flush(min)),
  ].sort(() => random() - 0.5)
  const min = wantedDeliveries / (troubles.length + 1)
  for (const [i, trouble] of troubles.entries()) await trouble(names[i % 2] ?? names[0], min)
  await recordWhile(wantedDeliveries - deliveries)
  const recordedMs = Date.now() - began
  await waitFor(
    'an empty queue',
    async () => (await stack.db.query('select 1 from webhook_queue limit 1')).length === 0,
    howMany(60_000, 600_000),
  ).catch((error) => {
    throw new Error(`${error.message}\n${stack.troubles()}`)
  })
  report = await receivers.report()
  const chosen = Object.entries(report.faults).map(([fault, times]) => `${fault} ${times}`)
  process.stdout.write(
    `\n${deliveries} deliveries, ${report.arrivals.length} attempts, ${((Date.now() - began) / 1000).toFixed(1)} s (${(recordedMs / 1000).toFixed(1)} s of recording and crashes): ${chosen.join(', ')}\n`,
  )
  expect(Object.keys(report.faults).sort()).toEqual([...faults].sort())
}, 900_000)

test('every event was accepted at least once by each endpoint subscribed to it, signed, and by no other endpoint', async () => {
  expect(report.forged).toEqual([])
  for (const endpoint of endpointsOf(businesses)) {
    const expected = expectedOf(endpoint).map(({ n }) => n)
    const received = report.arrivals.filter(({ to }) => to === endpoint.name)
    expect([...new Set(received.filter(accepted).map(({ n }) => n))].sort((a, b) => a - b)).toEqual(expected)
    expect([...new Set(received.map(({ n }) => n))].sort((a, b) => a - b)).toEqual(expected)
    // One webhook-id for all attempts of an event, and different ids for different events.
    expect(new Set(received.map(({ n, id }) => `${n} ${id}`)).size).toBe(expected.length)
    expect(new Set(received.map(({ id }) => id)).size).toBe(expected.length)
  }
})

test('event numbers of a business have no gap, and its event feed has each event exactly once', async () => {
  for (const business of businesses) {
    const expected = Array.from(
      { length: events.filter((event) => event.business === business).length },
      (_, i) => i + 1,
    )
    const key = (await keyOf(stack, business)).reveal()
    const fed: { sequence: number; id: string }[] = []
    for (let after = 0, more = true; more; ) {
      const path = `/events?after=${after}&limit=100`
      const { body } = await stack.api<{ events: typeof fed; nextAfter: number; hasMore: boolean }>(
        'GET',
        path,
        undefined,
        { 'x-api-key': key },
      )
      fed.push(...body.events)
      after = body.nextAfter
      more = body.hasMore
    }
    expect(fed.map(({ sequence }) => sequence)).toEqual(expected)
    const deliveredIds = new Map(
      report.arrivals
        .filter(({ to }) => business.endpoints.some(({ name }) => name === to))
        .map(({ sequence, id }) => [sequence, id]),
    )
    expect([...deliveredIds].sort(([a], [b]) => a - b)).toEqual(fed.map(({ sequence, id }) => [sequence, id]))
  }
})

test('every attempt is recorded, including interrupted ones', async () => {
  const rows = await stack.db.query<{
    endpoint: string
    event: string
    status: string
    count: number
    recorded: number
    open: number
  }>(
    `select d.endpoint_id as endpoint, d.event_id as event, d.status, d.attempts_count as count, count(a.number)::int as recorded,
       count(*) filter (where a.response_status is null and a.error is null)::int as open
     from webhook_deliveries d left join webhook_attempts a on a.delivery_id = d.id and a.created_at = d.created_at
     where d.endpoint_id = any($1::uuid[]) group by d.id, d.created_at`,
    [endpointsOf(businesses).map(({ id }) => id)],
  )
  expect(rows).toHaveLength(deliveries)
  expect(rows.filter(({ status }) => status !== 'delivered')).toEqual([])
  expect(rows.filter(({ count, recorded, open }) => count !== recorded || open > 0)).toEqual([])
  const seen = new Map<string, number>()
  const ids = new Map(endpointsOf(businesses).map(({ name, id }) => [name, id]))
  for (const { to, id } of report.arrivals)
    seen.set(`${ids.get(to)} ${id}`, (seen.get(`${ids.get(to)} ${id}`) ?? 0) + 1)
  expect(
    rows.filter(({ endpoint, event, recorded }) => (seen.get(`${endpoint} ${event}`) ?? 0) > recorded),
  ).toEqual([])
  const [interrupted] = await stack.db.query<{ n: number }>(
    "select count(*)::int as n from webhook_attempts where error like 'interrupted%'",
  )
  expect(interrupted?.n).toBeGreaterThan(0)
})

test('the counters equal the counted rows', async () => {
  const grouped = (from: string, n: string) =>
    stack.db.query(
      `select business_id, endpoint_id, topic, type, chain, status, ${n}::int as n from ${from} group by 1, 2, 3, 4, 5, 6 having ${n} <> 0 order by 1, 2, 3, 4, 5, 6`,
    )
  const counted = await grouped('webhook_delivery_counts', 'sum(n)')
  expect(counted.length).toBeGreaterThan(0)
  expect(counted).toEqual(await grouped('webhook_deliveries', 'count(*)'))
  expect(await stack.db.query('select * from webhook_queue')).toEqual([])
})

test('no endpoint with due deliveries was neglected while others were served', () => {
  const clock = servingClock(report.arrivals)
  const longest = endpointsOf(businesses).map((endpoint) => {
    const received = report.arrivals.filter(({ to }) => to === endpoint.name)
    return longestSilence(expectedOf(endpoint), received, clock)
  })
  process.stdout.write(`\nlongest time without an arrival at an endpoint: ${Math.max(...longest)} ms\n`)
  expect(Math.max(...longest)).toBeLessThan(silenceMs)
})
