import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { ConfigError, readConfig } from './config.ts'
import { messageOf } from './errors.ts'
import { type Readiness, type ReadinessCheck, shareReadiness } from './http/http.ts'
import { createPriority } from './priority.ts'
import { type ProcessContext, runStops } from './process.ts'
import { createLog, type Log } from './telemetry/log.ts'
import { createThreadMetrics } from './telemetry/metrics.ts'
import type { MetricRecord } from './telemetry/promClient.ts'
import { startTracing } from './telemetry/startTracing.ts'

// A thread runs parts of a process on another processor, so that long computations do not delay the others.
// It has no port and no signals of its own: the process reads its metrics and readiness, and stops it.

type Command = { ask: number; what: Question } | { stop: true }
type Question = 'metrics' | 'readiness'
type Report =
  | { listening: true }
  | { started: true }
  | { failed: string; isMistake: boolean }
  | { stop: string | null }
  | { answer: number; value: unknown }
  | { refused: number; why: string }

/** The start parameters of a thread. */
interface Start {
  process: string
  thread: string
  requests: SharedArrayBuffer
}

export interface ThreadOptions {
  /** Label of its metrics. */
  name: string
  /** The module that calls `runThread`. */
  file: URL
  /** Names of the readiness checks that it registers. */
  checks: readonly string[]
}

/**
 * Starts a thread; resolves when its work has started. It stops with `context`. An uncaught exception in it
 * ends the process.
 * @param readyWhen registers its checks
 * @throws ConfigError with its mistakes; otherwise why it could not start
 */
export async function startThread(
  context: ProcessContext,
  readyWhen: ProcessContext['readyWhen'],
  { name, file, checks }: ThreadOptions,
): Promise<void> {
  const start: Start = { process: context.metrics.process, thread: name, requests: context.priority.memory }
  const worker = new Worker(file, { name, workerData: start })
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let state: 'starting' | 'listening' | 'ended' = 'starting'
  let asks = 0

  async function ask<T>(what: Question): Promise<T> {
    if (state !== 'listening')
      throw new Error(state === 'starting' ? 'still starting' : `the thread ${name} has ended`)
    const number = asks++
    return new Promise<T>((resolve, reject) => {
      asked.set(number, { resolve: (value) => resolve(value as T), reject })
      worker.postMessage({ ask: number, what } satisfies Command)
    })
  }

  const taken = (number: number) => {
    const found = asked.get(number)
    asked.delete(number)
    return found
  }

  const started = new Promise<void>((resolve, reject) => {
    const ended = new Promise<void>((settle) => {
      worker.once('exit', () => {
        state = 'ended'
        for (const each of asked.values()) each.reject(new Error(`the thread ${name} has ended`))
        asked.clear()
        reject(new Error(`the thread ${name} ended before it started`))
        if (!context.stopping.aborted) context.stop(new Error(`the thread ${name} has ended`))
        settle()
      })
    })
    context.onStop(() => {
      worker.postMessage({ stop: true } satisfies Command)
      return ended
    })
    worker.on('message', (report: Report) => {
      if ('listening' in report) state = 'listening'
      else if ('started' in report) resolve()
      else if ('failed' in report)
        reject(report.isMistake ? new ConfigError(report.failed) : new Error(report.failed))
      else if ('stop' in report) context.stop(report.stop === null ? undefined : new Error(report.stop))
      else if ('answer' in report) taken(report.answer)?.resolve(report.value)
      else taken(report.refused)?.reject(new Error(report.why))
    })
  })
  // Rethrown, so that it is an uncaught exception of the process.
  worker.on('error', (error) => {
    throw error
  })

  for (const check of checks) {
    readyWhen({
      name: check,
      check: async () => {
        const outcome = (await ask<Readiness>('readiness')).checks[check]
        if (outcome !== 'ok') throw new Error(outcome ?? 'still starting')
      },
    })
  }
  context.metrics.join(() => ask<MetricRecord[]>('metrics'))
  await started
}

/** Runs `start` in the thread whose module calls this. @throws outside a thread */
export async function runThread(start: (context: ProcessContext) => Promise<void>): Promise<void> {
  if (isMainThread || !parentPort) throw new Error('this module runs in a thread of cowry only')
  const port = parentPort
  const given = workerData as Start
  const report = (what: Report) => port.postMessage(what)
  const log = createLog(given.process, readConfig(['LOG_LEVEL']).LOG_LEVEL)
  lowerPriority(log)
  const metrics = createThreadMetrics(given.process, given.thread)
  const stopping = new AbortController()
  const stops: (() => Promise<void>)[] = []
  const checks: ReadinessCheck[] = []
  // Concurrent questions share one answer.
  const readiness = shareReadiness(() => checks, 0)
  const answers: Record<Question, () => Promise<unknown>> = { readiness, metrics: metrics.read }

  port.on('message', (command: Command) => {
    if ('ask' in command) {
      void answers[command.what]().then(
        (value) => report({ answer: command.ask, value }),
        (error) => report({ refused: command.ask, why: messageOf(error) }),
      )
      return
    }
    stopping.abort()
    void runStops(stops, log).then(() => process.exit())
  })
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    report({ stop: messageOf(error) })
  })
  report({ listening: true })

  try {
    const stopTracing = await startTracing(given.process, log, process.env)
    if (stopTracing) stops.push(stopTracing)
    await start({
      log,
      metrics,
      priority: createPriority(undefined, given.requests),
      onStop: (each) => void stops.push(each),
      readyWhen: (check) => void checks.push(check),
      stop: (failure) => report({ stop: failure?.message ?? null }),
      drainFor: () => {},
      draining: stopping.signal,
      stopping: stopping.signal,
    })
    report({ started: true })
  } catch (error) {
    report({ failed: messageOf(error), isMistake: error instanceof ConfigError })
  }
}

/** Niceness for setpriority(2): under contention the thread gets a third of the main thread's CPU time. */
const niceness = 5

/**
 * On Linux each thread has its own priority. Elsewhere it would apply to the whole process, so it is left
 * unchanged.
 */
function lowerPriority(log: Log): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch (error) {
    log.warn({ err: messageOf(error) }, 'could not lower the priority of this thread')
  }
}
