import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Client, createClient } from '../../client/index.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { pause } from '../../src/platform/wait.ts'
import { happen, newBusiness } from '../support/deliveries.ts'
import { howMany } from '../support/full.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Events without a public address: requests that wait, and streams. Two api processes share a database.

interface Page {
  events: { id: string; type: string; sequence: number }[]
  nextAfter: number
  hasMore: boolean
  error?: string
}

/** Sooner than the poll that makes up for lost notifications, which comes every 3 s. */
const soonMs = 1500

let stack: Stack

beforeAll(async () => {
  stack = await createStack({
    processes: ['api'],
    env: { EVENT_WAITERS_PER_BUSINESS: '100', EVENT_WAITERS: '105' },
  })
  await stack.start(
    'api',
    { EVENT_WAITERS_PER_BUSINESS: '2', EVENT_WAITERS: '3', EVENT_STREAM_SECONDS: '1' },
    { as: 'api-2' },
  )
})
afterAll(() => stack?.close())

type Api = 'api' | 'api-2'
const baseUrl = (api: Api = 'api') => `http://127.0.0.1:${stack.processes.get(api)?.port()}/api/v1`

/** A business with a key of its own. */
async function newCaller() {
  const businessId = await newBusiness(stack.db)
  const apiKey = (
    await createApiKey(stack, { businessId, name: 'a', scope: 'read', environment: 'test' })
  ).reveal()
  const get = async (
    query: string,
    { api, headers, signal }: { api?: Api; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ) =>
    fetch(`${baseUrl(api)}/events?${query}`, {
      headers: { 'x-api-key': apiKey, ...headers },
      signal: signal ?? null,
    })
  return {
    businessId,
    apiKey,
    get,
    page: async (query: string, api?: Api) =>
      (await (await get(query, { ...(api && { api }) })).json()) as Page,
    stream: (
      query = '',
      options: { api?: Api; headers?: Record<string, string>; signal?: AbortSignal } = {},
    ) => get(query, { ...options, headers: { accept: 'text/event-stream', ...options.headers } }),
    client: (api?: Api): Client => createClient({ baseUrl: baseUrl(api), apiKey }),
    happen: (count?: number, type?: Parameters<typeof happen>[3]) =>
      happen(stack.db, businessId, count, type),
    waiting: (count: number, api: Api = 'api') =>
      waitFor(`${count} waiting requests`, async () => (await waitersOf(api)) === count),
  }
}

async function waitersOf(api: Api): Promise<number> {
  const text = await (await fetch(stack.processes.get(api)?.metricsUrl() ?? '')).text()
  return Number(/^cowry_event_waiters(?:\{.*\})? (\d+)$/m.exec(text)?.[1])
}

/**
 * What a busy machine needs more than usual, as it is now: five times a commit and a request for it in each
 * process.
 */
async function slownessNow(): Promise<number> {
  const other = await newCaller()
  const began = performance.now()
  await other.happen()
  for (const api of ['api', 'api-2'] as const)
    expect(sequences(await other.page('after=0', api))).toEqual([1])
  return 5 * (performance.now() - began)
}

const sequences = ({ events }: Page) => events.map(({ sequence }) => sequence)
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a request that waits', () => {
  test('is answered at once if there are events, and otherwise by the next commit, in every process', async () => {
    const [caller, slowness] = [await newCaller(), await slownessNow()]
    await caller.happen(2)
    const atOnce = performance.now()
    expect(sequences(await caller.page('after=0&wait=30'))).toEqual([1, 2])
    expect(performance.now() - atOnce).toBeLessThan(soonMs + slowness)
    const answers = [caller.page('after=2&wait=30'), caller.page('after=2&wait=30', 'api-2')]
    await Promise.all([caller.waiting(1), caller.waiting(1, 'api-2')])
    const started = performance.now()
    await caller.happen()
    const pages = await Promise.all(answers)
    const ms = performance.now() - started
    for (const page of pages)
      expect(page).toMatchObject({ events: [{ sequence: 3 }], nextAfter: 3, hasMore: false })
    expect(ms).toBeLessThan(soonMs + slowness + (await slownessNow()))
  })

  test('gets an empty page after its time, which leads on over events of other types', async () => {
    const caller = await newCaller()
    await caller.happen(3)
    const answer = caller.page('after=0&wait=30&type=session.*,transfer.failed')
    await caller.waiting(1)
    await caller.happen(1, 'session.paid')
    expect(sequences(await answer)).toEqual([4])
    await caller.happen(1)
    expect(await caller.page('after=4&wait=1&type=session.paid')).toMatchObject({
      events: [],
      nextAfter: 5,
      hasMore: false,
    })
  })

  test('is woken by its own business only, and never sees the events of another', async () => {
    const [caller, stranger] = [await newCaller(), await newCaller()]
    const answer = caller.page('wait=6')
    await caller.waiting(1)
    await stranger.happen(3)
    expect(await answer).toMatchObject({ events: [], nextAfter: 0 })
  })

  test('must be within bounds', async () => {
    const caller = await newCaller()
    for (const query of [
      'wait=61',
      'wait=-1',
      'wait=x',
      'type=session',
      'type=session.*,',
      `type=${upTo(21).map(() => 'a.b')}`,
    ])
      expect([query, (await caller.get(query)).status]).toEqual([query, 400])
    const mistyped = {
      fields: [
        {
          field: 'type',
          message: 'is not an event type or a topic such as session.*; did you mean session.paid?',
        },
      ],
    }
    expect(await (await caller.get('type=session.*,sesion.paid')).json()).toMatchObject(mistyped)
    const beyond = { fields: [{ field: 'after', message: 'is above the newest event, 0' }] }
    expect(await (await caller.get('after=7&wait=1')).json()).toMatchObject(beyond)
    expect(await (await caller.stream('after=7')).json()).toMatchObject(beyond)
    const refused = await caller.stream('', { headers: { 'last-event-id': 'x' } })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { fields: [{ field: 'last-event-id' }] },
    ])
  })

  test('holds no connection to the database: a hundred of them', async () => {
    const caller = await newCaller()
    const stop = new AbortController()
    const answers = upTo(100).map(() => caller.get('wait=60', { signal: stop.signal }))
    await caller.waiting(100)
    const [row] = await waitFor('idle connections', async () => {
      const rows = await stack.db.query<{ busy: number; all: number }>(
        `select count(*) filter (where state <> 'idle')::int as busy, count(*)::int as all from pg_stat_activity
         where datname = current_database() and usename like '%api%'`,
      )
      return rows[0]?.busy === 0 ? rows : null
    })
    // Two pools of 10, and a connection of each process that listens.
    expect(row?.all).toBeLessThanOrEqual(22)
    expect(row?.all).toBeGreaterThan(0)
    expect((await caller.get('wait=1')).status).toBe(429)
    await caller.happen()
    const pages = await Promise.all(answers.map(async (answer) => (await answer).json() as Promise<Page>))
    expect(pages.filter((page) => page.events[0]?.sequence === 1)).toHaveLength(100)
    await caller.waiting(0)
    stop.abort()
  })

  test('has its place back when its caller goes away; over the limits it is 429', async () => {
    const [caller, other] = [await newCaller(), await newCaller()]
    const stop = new AbortController()
    const gone = [
      caller.get('wait=60', { api: 'api-2', signal: stop.signal }),
      caller.get('wait=60', { api: 'api-2', signal: stop.signal }),
    ]
    for (const each of gone) each.catch(() => {})
    await caller.waiting(2, 'api-2')
    const refused = await caller.get('wait=60', { api: 'api-2' })
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      ((await refused.json()) as Page).error,
    ]).toEqual([429, '5', 'too_many_waiting'])
    // The process has one place left, which another business gets.
    const last = other.get('wait=60', { api: 'api-2', signal: stop.signal })
    last.catch(() => {})
    await caller.waiting(3, 'api-2')
    expect((await other.stream('', { api: 'api-2' })).status).toBe(429)
    expect((await caller.get('wait=0', { api: 'api-2' })).status).toBe(200)
    stop.abort()
    await caller.waiting(0, 'api-2')
    expect((await caller.page('wait=1', 'api-2')).events).toEqual([])
  })

  test('is woken also while notifications are lost, and by them again afterwards', async () => {
    const caller = await newCaller()
    const listening = async () =>
      (
        await stack.db.query(
          "select pid from pg_stat_activity where application_name = 'cowry events' and datname = current_database()",
        )
      ).length
    expect(await listening()).toBe(2)
    const answer = caller.page('wait=30')
    await caller.waiting(1)
    await stack.db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cowry events' and datname = current_database()",
    )
    await caller.happen()
    expect(sequences(await answer)).toEqual([1])
    await waitFor('both processes listen', async () => (await listening()) === 2)
    const again = caller.page('after=1&wait=30')
    await caller.waiting(1)
    const started = performance.now()
    await caller.happen()
    expect(sequences(await again)).toEqual([2])
    const ms = performance.now() - started
    expect(ms).toBeLessThan(soonMs + (await slownessNow()))
  })
})

describe('a stream', () => {
  test('has every event as a message, and starts after Last-Event-ID', async () => {
    const caller = await newCaller()
    await caller.happen(3)
    const stop = new AbortController()
    const response = await caller.stream('after=0&type=transaction.detected', {
      headers: { 'last-event-id': '1' },
      signal: stop.signal,
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('id: 3')) text += (await reader?.read())?.value
    const events = await caller.page('after=1')
    expect(text).toBe(
      `retry: 1000\n\n${events.events.map((event) => `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`).join('')}`,
    )
    stop.abort()
  })

  test('ends after its life, and the client goes on without a gap', async () => {
    const caller = await newCaller()
    const seen: number[] = []
    const stop = new AbortController()
    const following = (async () => {
      for await (const { sequence } of caller.client('api-2').events({ signal: stop.signal }))
        if (seen.push(sequence) === 40) return
    })()
    // Some life-times of a stream.
    for (const _ of upTo(20)) {
      await caller.happen(2)
      await pause(100)
    }
    await following
    expect(seen).toEqual(upTo(40))
  })

  test('has the events of its business and types only', async () => {
    const [caller, stranger] = [await newCaller(), await newCaller()]
    const seen: string[] = []
    const following = (async () => {
      for await (const { type, sequence } of caller
        .client()
        .events({ types: ['session.*', 'transfer.failed'] }))
        if (seen.push(`${sequence} ${type}`) === 3) return
    })()
    for (const type of [
      'session.paid',
      'transaction.detected',
      'transfer.failed',
      'transfer.confirmed',
      'session.late',
    ] as const) {
      await stranger.happen(1, type)
      await caller.happen(1, type)
    }
    await following
    expect(seen).toEqual(['1 session.paid', '3 transfer.failed', '5 session.late'])
  })

  test('and a request end within seconds after the key is revoked', async () => {
    const caller = await newCaller()
    const answer = caller.get('wait=60')
    const following = (async () => {
      for await (const { sequence } of caller.client().events())
        if (sequence > 0)
          await stack.db.query('update api_keys set revoked_at = now() where business_id = $1', [
            caller.businessId,
          ])
    })()
    const outcome = following.catch((error) => error)
    await caller.waiting(2)
    await stack.db.query('update api_keys set revoked_at = now() where business_id = $1', [caller.businessId])
    const started = performance.now()
    expect((await answer).status).toBe(401)
    expect(await outcome).toMatchObject({ status: 401 })
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test('loses and repeats nothing when the api is killed at any time and comes back', async () => {
    const caller = await newCaller()
    const port = String(stack.processes.get('api')?.port())
    const seen: number[] = []
    const kills = howMany(1, 10)
    const total = 200 * kills
    const following = (async () => {
      for await (const { sequence } of caller.client().events()) if (seen.push(sequence) === total) return
    })()
    const writing = (async () => {
      for (const _ of upTo(total / 2)) {
        await caller.happen(2)
        await pause(Math.random() * 20)
      }
    })()
    for (const _ of upTo(kills)) {
      const before = seen.length
      await waitFor('more events', async () => seen.length > before + Math.random() * 50)
      const killed = stack.processes.get('api')
      killed?.kill('SIGKILL')
      await killed?.ended
      await stack.start('api', { PORT: port })
    }
    await Promise.all([writing, following])
    expect(seen).toEqual(upTo(total))
  })

  test('and a request end at once when the api stops, with what there is', async () => {
    const caller = await newCaller()
    const [stream, answer] = [await caller.stream(), caller.get('wait=60')]
    await caller.waiting(2)
    const started = performance.now()
    const stopped = stack.stop('api')
    expect(await (await answer).json()).toMatchObject({ events: [], nextAfter: 0 })
    expect(await stream.text()).toBe('retry: 1000\n\n: waiting\nid: 0\n\n')
    // The process itself has ten seconds to end.
    expect(performance.now() - started).toBeLessThan(9000)
    await stopped
  })
})
