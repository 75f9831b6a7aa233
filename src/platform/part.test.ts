import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { ConfigError } from './config.ts'
import type { ReadinessCheck } from './http/http.ts'
import { type Part, runParts } from './part.ts'
import { createPriority } from './priority.ts'
import type { ProcessContext } from './process.ts'
import { createLog } from './telemetry/log.ts'
import { createMetrics } from './telemetry/metrics.ts'

const log = createLog('test', 'silent')

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** A process that only records what its parts register. */
function processOfTest() {
  const stopping = new AbortController()
  const stops: (() => Promise<void>)[] = []
  const checks: ReadinessCheck[] = []
  const ended: (string | null)[] = []
  const metrics = createMetrics('test')
  const context: ProcessContext = {
    log,
    metrics,
    priority: createPriority(),
    onStop: (stop) => void stops.push(stop),
    readyWhen: (check) => void checks.push(check),
    stop: (failure) => void ended.push(failure?.message ?? null),
    drainFor: () => {},
    draining: stopping.signal,
    stopping: stopping.signal,
  }
  return {
    context,
    ended,
    async stop() {
      stopping.abort()
      for (const each of stops) await each()
    },
    /** Each part with `ok`, or the reason why it is not ready. */
    async ready() {
      const states = checks.map(async ({ name, check }) => [
        name,
        await check().then(
          () => 'ok',
          (error: Error) => error.message,
        ),
      ])
      return Object.fromEntries(await Promise.all(states)) as Record<string, string>
    },
    async metric(name: string, part: string) {
      const { values } = (await metrics.registry.getSingleMetric(`cowry_${name}`)?.get()) ?? { values: [] }
      return values.find(({ labels }) => labels.part === part)?.value
    },
  }
}

/** A part that records its starts and stops, and can be made to fail. */
function partOfTest(name: string, onFailure: Part['onFailure'] = 'restart') {
  const events: string[] = []
  let failing: Error | null = null
  let current: ProcessContext | null = null
  const part: Part = {
    name,
    log,
    onFailure,
    async start(context) {
      events.push('start')
      context.onStop(async () => void events.push('stopped'))
      if (failing) throw failing
      current = context
    },
  }
  return {
    part,
    events,
    fail: (message: string) => current?.stop(new Error(message)),
    failAtStart: (error: Error | null) => {
      failing = error
    },
    aborted: () => current?.stopping.aborted,
  }
}

const settled = async () => {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve()
}

test('a failed part restarts alone, after its stop; it is not ready meanwhile, and the others are', async () => {
  const whole = processOfTest()
  const [one, other] = [partOfTest('indexer-a'), partOfTest('indexer-b')]
  await runParts(whole.context, [one.part, other.part])
  expect(await whole.ready()).toEqual({ 'indexer-a': 'ok', 'indexer-b': 'ok' })
  one.fail('the fork is too deep')
  await settled()
  expect([one.events, one.aborted()]).toEqual([['start', 'stopped'], true])
  expect(await whole.ready()).toEqual({
    'indexer-a': 'restarting after: the fork is too deep',
    'indexer-b': 'ok',
  })
  expect(await whole.metric('part_running', 'indexer-a')).toBe(0)
  await jest.advanceTimersByTimeAsync(1000)
  expect(one.events).toEqual(['start', 'stopped', 'start'])
  // It may fail again at once.
  expect(await whole.ready()).toEqual({
    'indexer-a': 'restarting after: the fork is too deep',
    'indexer-b': 'ok',
  })
  await jest.advanceTimersByTimeAsync(5000)
  expect(await whole.ready()).toEqual({ 'indexer-a': 'ok', 'indexer-b': 'ok' })
  expect(other.events).toEqual(['start'])
  expect([
    await whole.metric('part_running', 'indexer-a'),
    await whole.metric('part_restarts_total', 'indexer-a'),
  ]).toEqual([1, 1])
  expect(whole.ended).toEqual([])
})

test('a part that fails soon after each restart is never ready in between', async () => {
  const whole = processOfTest()
  const one = partOfTest('indexer-a')
  await runParts(whole.context, [one.part])
  for (const seconds of [1, 2, 4]) {
    one.fail('the fork is too deep')
    await settled()
    await jest.advanceTimersByTimeAsync(seconds * 1000 + 4000)
    expect(await whole.ready()).toEqual({ 'indexer-a': 'restarting after: the fork is too deep' })
  }
  await jest.advanceTimersByTimeAsync(1000)
  expect(await whole.ready()).toEqual({ 'indexer-a': 'ok' })
})

test('the backoff doubles up to a minute while the part keeps failing, and starts over after a sound run', async () => {
  const whole = processOfTest()
  const one = partOfTest('indexer-a')
  await runParts(whole.context, [one.part])
  one.failAtStart(new Error('no node answers'))
  one.fail('the first')
  const starts = () => one.events.filter((event) => event === 'start').length
  for (const [index, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    await settled()
    await jest.advanceTimersByTimeAsync(seconds * 1000 - 1)
    expect([seconds, starts()]).toEqual([seconds, index + 1])
    if (index === 7) one.failAtStart(null)
    await jest.advanceTimersByTimeAsync(1)
    expect([seconds, starts()]).toEqual([seconds, index + 2])
  }
  await jest.advanceTimersByTimeAsync(61_000)
  one.fail('much later')
  await settled()
  await jest.advanceTimersByTimeAsync(1000)
  expect(starts()).toBe(10)
})

test('a part with onFailure end ends the process, at run time and at its start', async () => {
  const whole = processOfTest()
  const api = partOfTest('api', 'end')
  await runParts(whole.context, [api.part])
  api.fail('the port is lost')
  await settled()
  expect(whole.ended).toEqual(['the port is lost'])

  const second = processOfTest()
  const broken = partOfTest('api', 'end')
  broken.failAtStart(new Error('the port is taken'))
  await expect(runParts(second.context, [broken.part, partOfTest('indexer-a').part])).rejects.toThrow(
    'the port is taken',
  )
})

test('configuration mistakes of several parts are one message, each mistake once', async () => {
  const whole = processOfTest()
  const parts = ['api', 'indexer-a'].map((name) => partOfTest(name, name === 'api' ? 'end' : 'restart'))
  parts[0]?.failAtStart(
    new ConfigError('cannot be used:\n  - APP_KEY is not set\n  - DATABASE_URL is not set'),
  )
  parts[1]?.failAtStart(
    new ConfigError('cannot be used:\n  - DATABASE_URL is not set\n  - RPC_TIMEOUT_MS is wrong'),
  )
  const failure = await runParts(
    whole.context,
    parts.map(({ part }) => part),
  ).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(ConfigError)
  expect((failure as Error).message).toBe(
    'cannot be used:\n  - APP_KEY is not set\n  - DATABASE_URL is not set\n  - RPC_TIMEOUT_MS is wrong',
  )
})

test('a stop ends every part, waits for it, and restarts nothing', async () => {
  const whole = processOfTest()
  const [one, other] = [partOfTest('indexer-a'), partOfTest('api', 'end')]
  await runParts(whole.context, [one.part, other.part])
  one.fail('just before')
  await settled()
  await whole.stop()
  await jest.advanceTimersByTimeAsync(120_000)
  expect([one.events, other.events]).toEqual([
    ['start', 'stopped'],
    ['start', 'stopped'],
  ])
  expect(whole.ended).toEqual([])
})
