import { Worker } from 'node:worker_threads'
import type { Done, Order } from './computeWorker.ts'

/** A computation with its bytes. */
export interface Job {
  /** The URL of a module, and the name of a function that it exports. */
  computation: { module: string; name: string }
  bytes: readonly Uint8Array[]
  length: number
  args: readonly unknown[]
  /** Does it in the owner's thread. */
  here(): void
  resolve(result: unknown): void
}

/** One thread of `createComputeThreads`. */
export interface ComputeThread {
  /** Jobs under way. */
  readonly jobs: number
  /** It has loaded, and can take a job. */
  hasRoom(): boolean
  take(job: Job): void
  /** @returns the jobs that were not done */
  end(): readonly Job[]
}

/** The events that the owner of a thread gets. */
export interface ThreadEvents {
  /** It has room, for the first time or again. */
  roomy(): void
  /** A job was not done; the thread goes on. */
  failed(job: Job, why: string): void
  /** It has ended by itself. @param jobs that were not done */
  died(thread: ComputeThread, jobs: readonly Job[], why: string): void
}

/** One is computed, one waits, so that the thread is not idle until the owner's next turn. */
const maxJobs = 2
const minSlot = 1 << 20
/** Its heap holds only what it returns; bytes are not in it. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

/**
 * Memory for the bytes of one job at a time. It goes to the thread and comes back with the result: fresh
 * memory costs as much as the copy, and a copy into shared memory three to ten times as much as one into
 * plain memory.
 */
interface Slot {
  memory: ArrayBuffer
  job: Job | null
}

/**
 * Starts a thread. Bytes are copied for it and not handed over: if it fails, the owner can do the
 * job itself. It has no environment, and so no secret of it.
 */
export function startComputeThread({ roomy, failed, died }: ThreadEvents): ComputeThread {
  const worker = new Worker(new URL('./computeWorker.ts', import.meta.url), {
    name: 'compute',
    env: {},
    resourceLimits,
  })
  const slots: Slot[] = Array.from({ length: maxJobs }, () => ({ memory: new ArrayBuffer(0), job: null }))
  const jobsOf = () => slots.flatMap(({ job }) => job ?? [])
  let state: 'starting' | 'running' | 'ended' = 'starting'
  let why = 'it has ended'
  // An idle thread does not keep the process alive.
  worker.unref()

  function done(answer: Done): void {
    const slot = slots[answer.slot]
    const job = slot?.job
    if (!slot || !job) return
    slot.job = null
    slot.memory = answer.memory
    if (thread.jobs === 0) worker.unref()
    if ('failed' in answer) failed(job, answer.failed)
    else job.resolve(answer.result)
    roomy()
  }

  worker.on('message', (message: Done | { ready: true }) => {
    if (state === 'ended') return
    if (!('ready' in message)) return done(message)
    state = 'running'
    roomy()
  })
  worker.on('error', (error: unknown) => {
    why = error instanceof Error ? error.message : String(error)
  })
  worker.once('exit', () => {
    const isEnded = state === 'ended'
    state = 'ended'
    if (!isEnded) died(thread, jobsOf(), why)
  })

  const thread: ComputeThread = {
    get jobs() {
      return jobsOf().length
    },
    hasRoom: () => state === 'running' && slots.some(({ job }) => job === null),
    take(job) {
      const index = slots.findIndex((slot) => slot.job === null)
      const slot = slots[index]
      if (!slot) throw new Error('a thread without room')
      if (thread.jobs === 0) worker.ref()
      slot.job = job
      if (slot.memory.byteLength < job.length)
        slot.memory = new ArrayBuffer(Math.max(minSlot, 2 ** Math.ceil(Math.log2(job.length))))
      const bytes = new Uint8Array(slot.memory)
      let at = 0
      for (const chunk of job.bytes) {
        bytes.set(chunk, at)
        at += chunk.length
      }
      const { module, name } = job.computation
      const order: Order = {
        slot: index,
        module,
        name,
        memory: slot.memory,
        length: job.length,
        args: job.args,
      }
      worker.postMessage(order, [slot.memory])
    },
    end() {
      state = 'ended'
      void worker.terminate()
      return jobsOf()
    },
  }
  return thread
}
