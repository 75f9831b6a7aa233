import { availableParallelism } from 'node:os'
import { type ComputeThread, type Job, startComputeThread } from './computeThread.ts'

/**
 * A computation on bytes that a thread can do: an exported function of a module that is loaded by its URL.
 * Its result must be cloneable; arrays of bytes with a buffer of their own are handed over without a copy.
 */
export interface Computation<Args extends readonly unknown[], Result> {
  /** `import.meta.url` of the module. */
  module: string
  name: string
  compute(bytes: readonly Uint8Array[], ...args: Args): Result
}

/**
 * Threads that compute when there is much to do. The caller's thread takes part: it does what no thread has
 * room for.
 */
export interface ComputeThreads {
  /** @throws what the computation throws */
  run<Args extends readonly unknown[], Result>(
    computation: Computation<Args, Result>,
    bytes: readonly Uint8Array[],
    ...args: Args
  ): Result | Promise<Result>
  close(): void
}

interface ThreadsOptions {
  /** The maximum number of threads; 0: all is done in the caller's thread. */
  count: number
  /**
   * A thread ended by itself, could not be started, or failed at a job. What it had to do is done by the
   * caller's thread.
   */
  failed(why: string): void
  /** After this time without a job, the threads end. */
  idleMs?: number
  /** No thread is started for this long after one failed. */
  retryMs?: number
}

/**
 * One core is for the caller's thread, one for the database and the collector of garbage. More than four
 * threads compute faster than one receives.
 */
export const threadsByCores = (): number => Math.max(0, Math.min(availableParallelism() - 2, 4))

/** Jobs in a row before a thread is started: it costs as much as fifty jobs. */
const startAfter = 16
const inARowMs = 10_000
/** Longer jobs are done in the caller's thread. With two jobs for each thread, this bounds their memory. */
const maxLength = 8 << 20
/** If jobs of more bytes wait, the caller's thread does them at once, before it receives more. */
const maxWaiting = 32 << 20

export function createComputeThreads({
  count,
  failed,
  idleMs = 30_000,
  retryMs = 60_000,
}: ThreadsOptions): ComputeThreads {
  let threads: ComputeThread[] = []
  const waiting: Job[] = []
  let waitingBytes = 0
  let inARow = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let noneUntil = Number.NEGATIVE_INFINITY
  let isTurnComing = false
  let isClosed = count === 0
  let ending: NodeJS.Timeout | undefined

  function isBusy(): boolean {
    const now = performance.now()
    if (now - lastAt > inARowMs) inARow = 0
    lastAt = now
    inARow++
    return inARow > startAfter
  }

  function start(): void {
    if (threads.length >= count || performance.now() < noneUntil || isClosed) return
    threads.push(startComputeThread({ roomy: assign, failed: jobFailed, died }))
    ending ??= setTimeout(endIfIdle, idleMs).unref()
  }

  function endIfIdle(): void {
    const leftMs = lastAt + idleMs - performance.now()
    ending = undefined
    if (leftMs > 0 || threads.some(({ jobs }) => jobs > 0))
      ending = setTimeout(endIfIdle, Math.max(leftMs, 1)).unref()
    else endAll()
  }

  function endAll(): void {
    for (const thread of threads) thread.end()
    threads = []
  }

  function jobFailed(job: Job, why: string): void {
    failed(why)
    job.here()
  }

  function died(thread: ComputeThread, jobs: readonly Job[], why: string): void {
    threads = threads.filter((each) => each !== thread)
    noneUntil = performance.now() + retryMs
    failed(why)
    for (const job of jobs) job.here()
  }

  const next = (): Job | undefined => {
    const job = waiting.shift()
    if (job) waitingBytes -= job.length
    return job
  }

  /** Gives waiting jobs to threads, and the next one that is left to this thread. */
  function assign(): void {
    for (;;) {
      const roomy = threads.filter((each) => each.hasRoom())
      const freest = roomy.reduce<ComputeThread | undefined>(
        (best, each) => (best && best.jobs <= each.jobs ? best : each),
        undefined,
      )
      const job = freest && next()
      if (!job) break
      freest.take(job)
    }
    if (waiting.length === 0 || isTurnComing) return
    isTurnComing = true
    start()
    // A job a turn: between two of them, threads report and get more.
    setImmediate(() => {
      isTurnComing = false
      next()?.here()
      assign()
    })
  }

  return {
    run(computation, bytes, ...args) {
      const length = bytes.reduce((sum, chunk) => sum + chunk.length, 0)
      const here = () => computation.compute(bytes, ...args)
      if (isClosed || !isBusy() || length > maxLength || waitingBytes + length > maxWaiting) return here()
      return new Promise((resolve, reject) => {
        const { module, name } = computation
        waitingBytes += length
        waiting.push({
          computation: { module, name },
          bytes,
          length,
          args,
          here() {
            try {
              resolve(here())
            } catch (error) {
              reject(error)
            }
          },
          resolve: (result) => resolve(result as Awaited<ReturnType<typeof here>>),
        })
        assign()
      })
    },
    close() {
      isClosed = true
      clearTimeout(ending)
      const jobs = threads.flatMap((thread) => thread.end())
      threads = []
      for (const job of jobs) job.here()
    },
  }
}
