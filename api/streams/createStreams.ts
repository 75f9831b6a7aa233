import type { Caller } from '../../src/accounts/caller.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { Log } from '../../src/platform/log.ts'
import type { Metrics } from '../../src/platform/metrics.ts'
import { createSharedQuotes, type SharedQuotes } from './sharedQuotes.ts'

export interface StreamLimits {
  /** In this process. */
  inAll: number
  perCredential: number
}

/** The WebSockets of one process. */
export interface Streams {
  quotes: SharedQuotes
  /**
   * Counts a stream until `leave` is called.
   * @param beat called every 15 seconds, together with those of the same credential, which then share what they check
   * @throws ApiError 429 `too_many_streams`
   */
  take(caller: Pick<Caller, 'actor'>, operation: string, beat: () => void): { leave(): void }
  /** Calls `stop` when the process stops, until the result is called. */
  onStop(stop: () => void): () => void
  /** Counts a WebSocket that has ended; null: its client closed it, or is gone. */
  ended(code: number | null): void
}

export const beatMs = 15_000
/** Between two requests for equal quotes. */
const quoteMs = 1000
const retryAfterSeconds = 5

interface Holder {
  beats: Set<() => void>
  timer: NodeJS.Timeout
}

export function createStreams(ctx: { log: Log; metrics: Metrics; stopping: AbortSignal }, limits: StreamLimits): Streams {
  const { log, metrics, stopping } = ctx
  const holders = new Map<string, Holder>()
  const open = new Map<string, number>()
  let all = 0
  const ends = metrics.counter('stream_ends_total', 'Streams of quotes that ended, by close code', ['code'])
  const requests = metrics.counter('stream_requests_total', 'Requests for quotes that streams share', ['outcome'])
  metrics.collected('streams', 'Open streams of quotes', ['operation'], (gauge) => {
    for (const [operation, count] of open) gauge.set({ operation }, count)
  })

  // One listener for all: many on one signal are reported as a leak.
  const stops = new Set<() => void>()
  stopping.addEventListener('abort', () => {
    for (const stop of [...stops]) stop()
  })

  function holderOf(credential: string): Holder {
    const known = holders.get(credential)
    if (known) return known
    const beats = new Set<() => void>()
    const timer = setInterval(() => {
      for (const beat of [...beats]) beat()
    }, beatMs)
    const holder = { beats, timer: timer.unref() }
    holders.set(credential, holder)
    return holder
  }

  return {
    quotes: createSharedQuotes({
      everyMs: quoteMs,
      requested: (outcome) => requests.inc({ outcome }),
      failed: (error) => log.error({ err: error }, 'quotes of a stream failed'),
    }),
    take({ actor }, operation, beat) {
      const credential = `${actor.kind} ${actor.id}`
      if ((holders.get(credential)?.beats.size ?? 0) >= limits.perCredential)
        throw tooManyStreams(`A credential may have ${limits.perCredential} streams at the same time`)
      if (all >= limits.inAll) throw tooManyStreams('Too many streams are open right now')
      const holder = holderOf(credential)
      const count = (change: 1 | -1) => {
        all += change
        open.set(operation, (open.get(operation) ?? 0) + change)
      }
      holder.beats.add(beat)
      count(1)
      return {
        leave() {
          if (!holder.beats.delete(beat)) return
          count(-1)
          if (holder.beats.size > 0) return
          clearInterval(holder.timer)
          holders.delete(credential)
        },
      }
    },
    onStop(stop) {
      stops.add(stop)
      if (stopping.aborted) stop()
      return () => void stops.delete(stop)
    },
    ended: (code) => ends.inc({ code: code === null ? 'client' : String(code) }),
  }
}

const tooManyStreams = (message: string): ApiError => new ApiError(429, 'too_many_streams', message, { retryAfterSeconds })
