import { afterEach, describe, expect, test } from '@jest/globals'
import { labelSets } from './labelSets.ts'
import { createMetrics, createThreadMetrics, type Metrics } from './metrics.ts'
import { inScope } from './scope.ts'
import { setTracer } from './tracing.ts'

/** Samples of one metric, without the process label. */
async function samples(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.registry.metrics()
  return text
    .split('\n')
    .filter((line) => new RegExp(`^cowry_${name}[ {]`).test(line))
    .map((line) =>
      line
        .replace(/,process="test"|process="test",?/, '')
        .replace('{,', '{')
        .replace('{}', ''),
    )
    .sort()
}

test('parts that name the same metric add their series to it', async () => {
  const metrics = createMetrics('test')
  for (const chain of ['ethereum', 'base'])
    metrics.part().counter('blocks_total', 'Blocks', ['chain']).inc({ chain }, 2)
  metrics.part().gauge('lag', 'Lag', ['chain']).set({ chain: 'base' }, 7)
  metrics.part().histogram('seconds', 'Seconds', ['chain'], [1]).observe({ chain: 'base' }, 0.5)
  metrics.part().histogram('seconds', 'Seconds', ['chain'], [1]).observe({ chain: 'base' }, 0.5)
  expect(await samples(metrics, 'blocks_total')).toEqual([
    'cowry_blocks_total{chain="base"} 2',
    'cowry_blocks_total{chain="ethereum"} 2',
  ])
  expect(await samples(metrics, 'lag')).toEqual(['cowry_lag{chain="base"} 7'])
  expect(await samples(metrics, 'seconds_count')).toEqual(['cowry_seconds_count{chain="base"} 2'])
})

test('a collected gauge has the series of every running part', async () => {
  const metrics = createMetrics('test')
  const [one, other] = [metrics.part(), metrics.part()]
  one.collected('size', 'Size', ['chain'], (gauge) => gauge.set({ chain: 'ethereum' }, 1))
  other.collected('size', 'Size', ['chain'], (gauge) => gauge.set({ chain: 'base' }, 2))
  expect(await samples(metrics, 'size')).toEqual([
    'cowry_size{chain="base"} 2',
    'cowry_size{chain="ethereum"} 1',
  ])
  one.end()
  expect(await samples(metrics, 'size')).toEqual(['cowry_size{chain="base"} 2'])
  // The part runs again.
  metrics.part().collected('size', 'Size', ['chain'], (gauge) => gauge.set({ chain: 'ethereum' }, 3))
  expect(await samples(metrics, 'size')).toEqual([
    'cowry_size{chain="base"} 2',
    'cowry_size{chain="ethereum"} 3',
  ])
})

test('a reader that fails or is late omits its own series and no others', async () => {
  const metrics = createMetrics('test')
  let fails = false
  metrics.collected('age', 'Age', ['queue'], async (gauge) => {
    if (fails) throw new Error('the database is away')
    gauge.set({ queue: 'a' }, 1)
  })
  metrics.collected('age', 'Age', ['queue'], (gauge) => gauge.set({ queue: 'b' }, 2))
  let late = false
  metrics.collected('depth', 'Depth', [], (gauge) => (late ? new Promise<void>(() => {}) : gauge.set(5)))
  expect(await samples(metrics, 'age')).toEqual(['cowry_age{queue="a"} 1', 'cowry_age{queue="b"} 2'])
  expect(await samples(metrics, 'depth')).toEqual(['cowry_depth 5'])
  fails = true
  late = true
  expect(await samples(metrics, 'age')).toEqual(['cowry_age{queue="b"} 2'])
  expect(await samples(metrics, 'depth')).toEqual([])
})

test('a reader can remove its series and show no more', async () => {
  const metrics = createMetrics('test')
  let paused = ['base', 'tron']
  metrics.collected('paused', 'Paused', ['chain'], (gauge) => {
    gauge.reset()
    for (const chain of paused) gauge.set({ chain }, 1)
  })
  expect(await samples(metrics, 'paused')).toHaveLength(2)
  paused = ['tron']
  expect(await samples(metrics, 'paused')).toEqual(['cowry_paused{chain="tron"} 1'])
})

test('the metrics of a thread are shown with those of the process, each metric once', async () => {
  const [metrics, ofThread, other] = [
    createMetrics('test'),
    createThreadMetrics('test', 'apart'),
    createMetrics('test'),
  ]
  metrics.counter('calls_total', 'Calls', ['chain']).inc({ chain: 'base' }, 2)
  ofThread.counter('calls_total', 'Calls', ['chain']).inc({ chain: 'base' }, 3)
  ofThread.histogram('seconds', 'Seconds', ['chain'], [1]).observe({ chain: 'base' }, 0.5)
  other.counter('calls_total', 'Calls', ['chain']).inc({ chain: 'base' }, 40)
  metrics.join(ofThread.read)
  metrics.join(other.read)
  const lines = (await metrics.exposition()).split('\n').filter((line) => /cowry_(calls|seconds)/.test(line))
  expect(lines).toEqual([
    '# HELP cowry_calls_total Calls',
    '# TYPE cowry_calls_total counter',
    // Series with the same labels are summed.
    'cowry_calls_total{chain="base",process="test"} 42',
    'cowry_calls_total{chain="base",process="test",thread="apart"} 3',
    '# HELP cowry_seconds Seconds',
    '# TYPE cowry_seconds histogram',
    'cowry_seconds_bucket{le="1",chain="base",process="test",thread="apart"} 1',
    'cowry_seconds_bucket{le="+Inf",chain="base",process="test",thread="apart"} 1',
    'cowry_seconds_sum{chain="base",process="test",thread="apart"} 0.5',
    'cowry_seconds_count{chain="base",process="test",thread="apart"} 1',
  ])
})

test('the metrics of a thread that fails or is late are omitted', async () => {
  const metrics = createMetrics('test')
  metrics.counter('calls_total', 'Calls').inc()
  metrics.join(() => Promise.reject(new Error('the thread has ended')))
  metrics.join(() => new Promise(() => {}))
  expect(await metrics.exposition()).toContain('cowry_calls_total{process="test"} 1')
})

test('a renamed metric is served under its old name too, in the unit of then', async () => {
  const metrics = createMetrics('test')
  metrics.gauge('provider_score_seconds', 'Score', ['chain']).set({ chain: 'base' }, 0.25)
  const text = await metrics.exposition()
  expect(text).toContain('cowry_provider_score_seconds{chain="base",process="test"} 0.25')
  expect(text).toContain('cowry_provider_score_milliseconds{chain="base",process="test"} 250')
  expect(text).toMatch(
    /^# HELP cowry_provider_score_milliseconds Deprecated: cowry_provider_score_seconds has it/m,
  )
  const handles = /^cowry_nodejs_all_active_handles\S* (\d+)$/m.exec(text)?.[1]
  expect(text).toMatch(new RegExp(`^cowry_nodejs_active_handles_total\\S* ${handles}$`, 'm'))
})

test('a reader starts from the given series at 0', async () => {
  const metrics = createMetrics('test')
  let paused = ['base']
  metrics.collected('paused', 'Paused', ['chain'], (gauge) => {
    gauge.resetTo(labelSets({ chain: ['base', 'tron'] }))
    for (const chain of paused) gauge.set({ chain }, 1)
  })
  expect(await samples(metrics, 'paused')).toEqual([
    'cowry_paused{chain="base"} 1',
    'cowry_paused{chain="tron"} 0',
  ])
  paused = []
  expect(await samples(metrics, 'paused')).toEqual([
    'cowry_paused{chain="base"} 0',
    'cowry_paused{chain="tron"} 0',
  ])
})

describe('in the format of OpenMetrics', () => {
  const recorded = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
  const withSeries = async () => {
    const [metrics, ofThread] = [createMetrics('test'), createThreadMetrics('test', 'apart')]
    metrics.join(ofThread.read)
    metrics.counter('calls_total', 'Calls', ['chain']).inc({ chain: 'base' })
    ofThread.counter('calls_total', 'Calls', ['chain']).inc({ chain: 'base' })
    for (const each of [metrics, ofThread]) {
      const seconds = each.histogram('seconds', 'Seconds', ['chain'], [1, 5])
      inScope({ requestId: null, trace: recorded }, () => seconds.observe({ chain: 'base' }, 0.5))
      seconds.observe({ chain: 'base' }, 9, { ...recorded, traceId: recorded.traceId.replace('0af', '0ff') })
      // Not recorded: no place to go to.
      inScope({ requestId: null, trace: { ...recorded, traceFlags: 0 } }, () =>
        seconds.observe({ chain: 'base' }, 2),
      )
      seconds.observe({ chain: 'base' }, 3)
    }
    return metrics
  }
  const seriesOf = (text: string) =>
    [...text.matchAll(/^(cowry_\w+(?:\{.*?\})?) /gm)].map(([, series]) => series).sort()
  const exemplarsOf = (text: string) =>
    [...text.matchAll(/^(\w+_bucket)\{le="([^"]+)".* # \{trace_id="(\w+)"\} (\S+) /gm)].map((found) =>
      found.slice(1),
    )
  afterEach(() => setTracer(null))

  test('there are the same series with the same names, and exemplars of traces that are recorded', async () => {
    setTracer({} as never)
    const metrics = await withSeries()
    const [text, open] = [await metrics.exposition(), await metrics.exposition('openmetrics')]
    expect(seriesOf(open)).toEqual(seriesOf(text))
    expect(seriesOf(text)).toContain('cowry_calls_total{chain="base",process="test",thread="apart"}')
    expect(open).toMatch(/\n# EOF\n$/)
    expect(exemplarsOf(text)).toEqual([])
    const both = [
      ['cowry_seconds_bucket', '1', recorded.traceId, '0.5'],
      ['cowry_seconds_bucket', '+Inf', recorded.traceId.replace('0af', '0ff'), '9'],
    ]
    expect(exemplarsOf(open)).toEqual([...both, ...both])
  })

  test('without an exporter there are no exemplars, also for a caller who samples', async () => {
    expect(exemplarsOf(await (await withSeries()).exposition('openmetrics'))).toEqual([])
  })
})
