import { ConfigError, readConfig } from './config.ts'
import { messageOf } from './errors.ts'
import { type ReadinessCheck, serveInternal } from './http.ts'
import { createLog, type Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createPriority, type Priority } from './priority.ts'

/** What every process, and every part of one, has before it has anything else. */
export interface ProcessContext {
  log: Log
  metrics: Metrics
  priority: Priority
  /** Registers what is done when the process stops; the last registered is stopped first. */
  onStop(stop: () => Promise<void>): void
  /** Registers what must be true before the process says it is ready. */
  readyWhen(check: ReadinessCheck): void
  /** Stops this process in an orderly way; `failure` makes it exit with 1. */
  stop(failure?: Error): void
  /** Aborted when the stop begins, for loops and waits. */
  stopping: AbortSignal
}

/**
 * The life of a process: configuration errors in one message, an internal port with metrics and health,
 * and a stop that is graceful at first, forced after a deadline or at a second signal.
 */
export async function runProcess(name: string, start: (context: ProcessContext) => Promise<void>): Promise<void> {
  try {
    await live(name, start)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

async function live(name: string, start: (context: ProcessContext) => Promise<void>): Promise<void> {
  const config = readConfig(['LOG_LEVEL', 'METRICS_HOST', 'METRICS_PORT', 'SHUTDOWN_SECONDS'])
  const log = createLog(name, config.LOG_LEVEL)
  const metrics = createMetrics(name)
  const stopping = new AbortController()
  const stops: (() => Promise<void>)[] = []
  const checks: ReadinessCheck[] = []
  let started = false
  let stoppedAt = 0

  const stop = (reason: string, failure?: Error) => {
    if (stopping.signal.aborted) {
      // A second signal means that the person is done waiting; npm hands the first one on, so that it comes twice.
      if (!failure && Date.now() - stoppedAt > 1000) process.exit(130)
      return
    }
    log.info({ reason }, 'stopping')
    stoppedAt = Date.now()
    stopping.abort()
    if (failure) process.exitCode = 1
    setTimeout(() => {
      log.error({ seconds: config.SHUTDOWN_SECONDS }, 'did not finish in time: forced')
      process.exit(1)
    }, config.SHUTDOWN_SECONDS * 1000).unref()
    void (async () => {
      await runStops(stops, log)
      log.info('stopped')
      process.exit()
    })()
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
  // A supervisor that dies without a signal closes our standard input.
  if (process.env.COWRY_SUPERVISED) {
    process.stdin.on('end', () => stop('supervisor gone')).resume()
    process.stdin.on('error', () => stop('supervisor gone'))
  }
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    stop('unhandled rejection', new Error(messageOf(error)))
  })
  // Node ends the process by itself.
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught exception'))

  checks.push({
    name: 'started',
    check: async () => {
      if (!started) throw new Error('still starting')
    },
  })
  checks.push({
    name: 'running',
    check: async () => {
      if (stopping.signal.aborted) throw new Error('stopping')
    },
  })
  const internal = await serveInternal({ host: config.METRICS_HOST, port: config.METRICS_PORT, metrics, checks: () => checks })
  stops.push(() => internal.close())
  log.info({ port: internal.port }, 'metrics and health')
  process.send?.({ internalPort: internal.port })

  try {
    await start({
      log,
      metrics,
      priority: createPriority(),
      onStop: (each) => void stops.push(each),
      readyWhen: (check) => void checks.push(check),
      stop: (failure) => stop(failure ? failure.message : 'asked to', failure),
      stopping: stopping.signal,
    })
  } catch (error) {
    if (error instanceof ConfigError) throw error
    if (stopping.signal.aborted) return
    log.fatal({ err: error }, 'could not start')
    stop('could not start', new Error(messageOf(error)))
    return
  }
  started = true
  log.info('started')
}

/** Runs what was registered for the stop, the last first. One that fails does not keep the others from running. */
export async function runStops(stops: (() => Promise<void>)[], log: Log): Promise<void> {
  for (const each of stops.splice(0).reverse()) {
    await each().catch((error) => log.error({ err: error }, 'a part did not stop cleanly'))
  }
}
