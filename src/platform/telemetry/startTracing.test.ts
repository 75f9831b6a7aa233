import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ConfigError } from '../config.ts'
import { tracingSettings } from './startTracing.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

test.each([
  ['nothing is set', {}],
  ['only a sampler is set', { OTEL_TRACES_SAMPLER: 'always_on' }],
  ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['the exporter is none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ['the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
])('tracing is off where %s', (_, env) => expect(tracingSettings(env)).toBeNull())

test.each([
  ['an endpoint', endpoint],
  ['an endpoint of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }],
  ['an exporter', { OTEL_TRACES_EXPORTER: 'otlp' }],
])('tracing is on with %s; every trace is recorded unless its caller decides otherwise', (_, env) =>
  expect(tracingSettings(env)).toEqual({
    sampler: { name: 'always_on', ratio: 1, followsParent: true },
    batch: {},
  }),
)

describe('settings', () => {
  test('of the sampler and of batches are those of OpenTelemetry', () => {
    const env = {
      ...endpoint,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_BSP_MAX_QUEUE_SIZE: '4096',
    }
    expect(tracingSettings(env)).toEqual({
      sampler: { name: 'traceidratio', ratio: 0.1, followsParent: false },
      batch: { maxQueueSize: 4096 },
    })
  })

  test.each([
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_BSP_SCHEDULE_DELAY', '-1'],
  ])('that cannot be used are refused by name: %s=%s', (name, value) => {
    expect(() => tracingSettings({ ...endpoint, [name]: value })).toThrow(ConfigError)
    expect(() => tracingSettings({ ...endpoint, [name]: value })).toThrow(name)
  })

  test.each(['2', '-0.1', 'x'])('of a ratio: %s is refused', (ratio) =>
    expect(() =>
      tracingSettings({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio }),
    ).toThrow('OTEL_TRACES_SAMPLER_ARG'),
  )
})

test('OpenTelemetry is imported by one module, and that one on demand', () => {
  const startTracing = readFileSync('src/platform/telemetry/startTracing.ts', 'utf8')
  expect(startTracing).toContain("await import('./openTelemetry.ts')")
  expect(startTracing).not.toMatch(/from '\.\/openTelemetry\.ts'|from '@opentelemetry/)
})
