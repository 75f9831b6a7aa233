import { ConfigError, readConfig } from '../config.ts'
import type { Log } from './log.ts'
import { setTracer, type TracingSettings } from './tracing.ts'

const samplers = ['always_on', 'always_off', 'traceidratio']

/**
 * Loads OpenTelemetry where an endpoint or an exporter is set; otherwise nothing is loaded or recorded.
 * @returns sends what is left, and stops; null without tracing
 * @throws ConfigError
 */
export async function startTracing(
  process: string,
  log: Log,
  env: NodeJS.ProcessEnv,
): Promise<(() => Promise<void>) | null> {
  const settings = tracingSettings(env)
  if (!settings) return null
  const { TRACE_STATEMENT_MS: statementMs } = readConfig(['TRACE_STATEMENT_MS'], env)
  const { createTracer } = await import('./openTelemetry.ts')
  const { tracer, stop } = createTracer(process, settings, statementMs, log)
  setTracer(tracer)
  log.info({ sampler: settings.sampler }, 'tracing')
  return stop
}

/** @returns null: tracing is off @throws ConfigError with every mistake */
export function tracingSettings(env: NodeJS.ProcessEnv): TracingSettings | null {
  const of = (name: string): string => env[name]?.trim() ?? ''
  const exporter = of('OTEL_TRACES_EXPORTER').toLowerCase()
  const hasEndpoint =
    of('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== ''
  if (
    of('OTEL_SDK_DISABLED').toLowerCase() === 'true' ||
    exporter === 'none' ||
    (exporter === '' && !hasEndpoint)
  )
    return null
  const mistakes: string[] = []
  if (exporter !== '' && exporter !== 'otlp')
    mistakes.push(`OTEL_TRACES_EXPORTER must be otlp or none, not ${exporter}`)
  const protocol =
    of('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || of('OTEL_EXPORTER_OTLP_PROTOCOL') || 'http/protobuf'
  if (protocol !== 'http/protobuf')
    mistakes.push(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, not ${protocol}`)
  const wanted = of('OTEL_TRACES_SAMPLER') || 'parentbased_always_on'
  const name = wanted.replace(/^parentbased_/, '')
  if (!samplers.includes(name))
    mistakes.push(
      `OTEL_TRACES_SAMPLER must be one of ${samplers.flatMap((each) => [each, `parentbased_${each}`]).join(', ')}, not ${wanted}`,
    )
  const ratio = name === 'traceidratio' ? Number(of('OTEL_TRACES_SAMPLER_ARG') || '1') : 1
  if (!(ratio >= 0 && ratio <= 1)) mistakes.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  const numberOf = (variable: string): number | undefined => {
    if (of(variable) === '') return undefined
    const value = Number(of(variable))
    if (!Number.isInteger(value) || value < 1) mistakes.push(`${variable} must be a whole number above 0`)
    return value
  }
  const batch = {
    maxQueueSize: numberOf('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: numberOf('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    scheduledDelayMillis: numberOf('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: numberOf('OTEL_BSP_EXPORT_TIMEOUT'),
  }
  if (mistakes.length > 0)
    throw new ConfigError(
      `The configuration cannot be used:\n${mistakes.map((each) => `  - ${each}`).join('\n')}`,
      mistakes,
    )
  const given = Object.entries(batch).filter(([, value]) => value !== undefined)
  return { sampler: { name, ratio, followsParent: wanted !== name }, batch: Object.fromEntries(given) }
}
