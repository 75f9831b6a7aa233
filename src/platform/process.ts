import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError, readConfig } from './config.ts'
import { messageOf } from './errors.ts'
import { notDraining, type ReadinessCheck, serveInternal } from './http/http.ts'
import { createPriority, type Priority } from './priority.ts'
import { processVariables } from './processVariables.ts'
import { createLog, type Log } from './telemetry/log.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import { startTracing } from './telemetry/startTracing.ts'

/** The context of every process and of every part. */
export interface ProcessContext {
  log: Log
  metrics: Metrics
  priority: Priority
  /** Registers a function to run when the process stops; the last registered runs first. */
  onStop(stop: () => Promise<void>): void
  /** Registers a check that must pass before the process is ready. */
  readyWhen(check: ReadinessCheck): void
  /** Stops this process gracefully; with `failure` it exits with 1. */
  stop(failure?: Error): void
  /**
   * The process goes on working for so long after SIGTERM while it is not ready: callers go elsewhere
   * meanwhile.
   */
  drainFor(ms: number): void
  /** Aborted at the signal. */
  draining: AbortSignal
  /** Aborted when the stop starts; for loops and waits. */
  stopping: AbortSignal
}

/**
 * Runs a process: configuration errors in one message, an internal port with metrics and health, and a
 * graceful stop that is forced after a deadline or at a second signal.
 */
export async function runProcess(
  name: string,
  start: (context: ProcessContext) => Promise<void>,
): Promise<void> {
  try {
    await live(name, start)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

async function live(name: string, start: (context: ProcessContext) => Promise<void>): Promise<void> {
  const config = readConfig(processVariables.every)
  const log = createLog(name, config.LOG_LEVEL)
  const metrics = createMetrics(name)
  const draining = new AbortController()
  const stopping = new AbortController()
  const stops: (() => Promise<void>)[] = []
  const checks: ReadinessCheck[] = []
  let started = false
  let stoppedAt = 0
  let drainMs = 0

  const stop = (reason: string, failure?: Error) => {
    if (draining.signal.aborted) {
      // A second signal means that the operator does not want to wait. npm forwards the first one, so that it
      // arrives twice.
      if (!failure && Date.now() - stoppedAt > 1000) process.exit(130)
      return
    }
    log.info({ reason }, 'stopping')
    stoppedAt = Date.now()
    draining.abort()
    if (failure) process.exitCode = 1
    void (async () => {
      // No proxy moves callers elsewhere at the other reasons.
      if (reason === 'SIGTERM' && started) await delay(drainMs)
      stopping.abort()
      setTimeout(() => {
        log.error({ seconds: config.SHUTDOWN_SECONDS }, 'did not stop in time: forced to exit')
        process.exit(1)
      }, config.SHUTDOWN_SECONDS * 1000).unref()
      await runStops(stops, log)
      log.info('stopped')
      process.exit()
    })()
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
  // A supervisor that dies without a signal closes our standard input.
  if (process.env.COWRY_SUPERVISED) {
    process.stdin.on('end', () => stop('supervisor ended')).resume()
    process.stdin.on('error', () => stop('supervisor ended'))
  }
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    stop('unhandled rejection', new Error(messageOf(error)))
  })
  // Node exits by itself afterwards.
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught exception'))

  checks.push({
    name: 'started',
    check: async () => {
      if (!started) throw new Error('still starting')
    },
  })
  checks.push(notDraining(draining.signal))
  const internal = await serveInternal({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    metrics,
    checks: () => checks,
  })
  stops.push(() => internal.close())
  // Last but for the port, so that it sends the spans of what stops before.
  const stopTracing = await startTracing(name, log, process.env)
  if (stopTracing) stops.push(stopTracing)
  log.info({ port: internal.port }, 'metrics and health')
  process.send?.({ internalPort: internal.port })

  try {
    await start({
      log,
      metrics,
      priority: createPriority(),
      onStop: (each) => void stops.push(each),
      readyWhen: (check) => void checks.push(check),
      stop: (failure) => stop(failure ? failure.message : 'requested', failure),
      drainFor: (ms) => {
        drainMs = Math.max(drainMs, ms)
      },
      draining: draining.signal,
      stopping: stopping.signal,
    })
  } catch (error) {
    if (error instanceof ConfigError) throw error
    if (draining.signal.aborted) return
    log.fatal({ err: error }, 'could not start')
    stop('could not start', new Error(messageOf(error)))
    return
  }
  started = true
  log.info('started')
}

/** Runs the registered stop functions, last first. One failure does not prevent the others. */
export async function runStops(stops: (() => Promise<void>)[], log: Log): Promise<void> {
  for (const each of stops.splice(0).reverse()) {
    await each().catch((error) => log.error({ err: error }, 'a part did not stop cleanly'))
  }
}
