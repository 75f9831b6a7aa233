import { ConfigError } from './config.ts'
import { isDatabaseAway } from './database/databaseAway.ts'
import { messageOf } from './errors.ts'
import type { ReadinessCheck } from './http/http.ts'
import { type ProcessContext, runStops } from './process.ts'
import type { Log } from './telemetry/log.ts'
import type { Metrics } from './telemetry/metrics.ts'
import { pause } from './wait.ts'

/** A part of a process with several parts: what `runProcess` would otherwise run alone. */
export interface Part {
  name: string
  log: Log
  start(context: ProcessContext): Promise<void>
  /**
   * `restart`: a failure ends only this part, which is started again. `end`: it ends the process. A part that
   * ended because the database is away is always started again.
   */
  onFailure: 'restart' | 'end'
}

/** Backoff before a part is started again; each wait is twice the previous one. */
const backoff = { minMs: 1000, maxMs: 60_000 }
/** After a run of this length the backoff starts over. */
const soundAfterMs = 60_000
/**
 * A restarted part is ready after running for this long, so that one that keeps failing at once is never
 * ready.
 */
const readyAfterMs = 5000

/**
 * Runs the parts until the process stops. Resolves when each has started, or has failed and will be
 * restarted.
 * @throws ConfigError with the mistakes of all parts; otherwise the first failure of a part that ends the
 * process
 */
export async function runParts(whole: ProcessContext, parts: readonly Part[]): Promise<void> {
  const running = parts.map((part) => runPart(whole, part))
  whole.onStop(async () => void (await Promise.all(running.map((each) => each.stopped()))))
  const outcomes = await Promise.all(running.map((each) => each.begun))
  const mistakes = outcomes.filter((outcome) => outcome instanceof ConfigError)
  if (mistakes.length > 0)
    throw new ConfigError([...new Set(mistakes.flatMap(({ message }) => message.split('\n')))].join('\n'))
  const failure = outcomes.find((outcome, index) => outcome !== null && endsProcess(parts[index], outcome))
  if (failure) throw failure
}

const endsProcess = (part: Part | undefined, failure: Error) =>
  part?.onFailure === 'end' && !isDatabaseAway(failure)

/** `begun` resolves when the first run has started, or with its failure. */
function runPart(
  whole: ProcessContext,
  part: Part,
): { begun: Promise<Error | null>; stopped(): Promise<void> } {
  const meters = metersOf(whole.metrics, part.name)
  let reason: string | null = 'still starting'
  let checks: ReadinessCheck[] = []
  whole.readyWhen({
    name: part.name,
    check: async () => {
      if (reason !== null) throw new Error(reason)
      for (const each of checks) await each.check()
    },
  })

  function begin(provenAfterMs: number): Run {
    checks = []
    const begun = startRun(whole, part, (check) => void checks.push(check))
    void begun.begun.then(async (failure) => {
      if (failure !== null) return
      meters.running.set(1)
      part.log.info('started')
      const failed =
        provenAfterMs > 0 &&
        (await Promise.race([begun.failure.then(() => true), pause(provenAfterMs, whole.stopping)]))
      if (!failed) reason = null
    })
    return begun
  }

  let run = begin(0)
  const first = run.begun
  void (async () => {
    for (let waitMs = backoff.minMs, since = performance.now(); ; since = performance.now()) {
      const failure = await run.failure
      meters.running.set(0)
      if (failure === null || whole.stopping.aborted) return
      reason = `restarting after: ${failure.message}`
      if (endsProcess(part, failure)) {
        // A failure to start is thrown to the caller.
        if ((await run.begun) === null) whole.stop(failure)
        return
      }
      await run.stopped()
      const away = isDatabaseAway(failure)
      // A start needs the database, so it fails at once until that is back, and is ready when it succeeds.
      if (away || performance.now() - since > soundAfterMs) waitMs = backoff.minMs
      part.log.error({ err: failure, waitMs }, 'this part failed; restarting')
      await pause(waitMs, whole.stopping)
      if (whole.stopping.aborted) return
      waitMs = Math.min(waitMs * 2, backoff.maxMs)
      meters.restarts.inc()
      run = begin(away ? 0 : readyAfterMs)
    }
  })()
  return { begun: first, stopped: () => run.stopped() }
}

interface Run {
  /** Resolves when it has started: with null, or with its failure. */
  begun: Promise<Error | null>
  /** Resolves with the failure that ended it; null if it was stopped. */
  failure: Promise<Error | null>
  stopped(): Promise<void>
}

function startRun(whole: ProcessContext, part: Part, readyWhen: (check: ReadinessCheck) => void): Run {
  const own = new AbortController()
  const stopping = AbortSignal.any([whole.stopping, own.signal])
  const stops: (() => Promise<void>)[] = []
  const metrics = whole.metrics.part()
  let end: (failure: Error | null) => void = () => {}
  const failure = new Promise<Error | null>((resolve) => {
    end = resolve
  })
  const context: ProcessContext = {
    log: part.log,
    metrics,
    priority: whole.priority,
    onStop: (each) => void stops.push(each),
    readyWhen,
    stop: (cause) => end(cause ?? null),
    drainFor: whole.drainFor,
    draining: whole.draining,
    stopping,
  }
  const begun = part.start(context).then(
    () => null,
    (error: unknown) => {
      const cause = error instanceof Error ? error : new Error(messageOf(error))
      end(cause)
      return cause
    },
  )
  let stopped: Promise<void> | null = null
  return {
    begun,
    failure,
    stopped() {
      own.abort()
      end(null)
      stopped ??= begun.then(() => runStops(stops, part.log)).then(() => metrics.end())
      return stopped
    },
  }
}

function metersOf(metrics: Metrics, part: string) {
  const running = metrics
    .gauge('part_running', '1 while this part of the process runs', ['part'])
    .labels(part)
  const restarts = metrics
    .counter('part_restarts_total', 'Restarts of a part of the process after an error', ['part'])
    .labels(part)
  running.set(0)
  restarts.inc(0)
  return { running, restarts }
}
