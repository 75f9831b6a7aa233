import type { Caller } from '../../src/accounts/caller.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { newId } from '../../src/platform/ids.ts'
import type { RedisClient } from '../../src/platform/redis/redis.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import type { Metrics } from '../../src/platform/telemetry/metrics.ts'
import { codes } from './closing.ts'
import { createPlaces } from './places.ts'
import { createSharedQuotes, type SharedQuotes } from './sharedQuotes.ts'

export interface StreamLimits {
  /** Of keys in Redis. */
  prefix: string
  /** In this process. */
  inAll: number
  /** Of one business in this process. */
  perBusiness: number
  /** In all processes; in this one while Redis is away. */
  perCredential: number
  /** Of the contract. */
  operations: readonly string[]
}

/** The WebSockets of one process. */
export interface Streams {
  quotes: SharedQuotes
  /**
   * Counts a stream until `leave` is called.
   * @param beat called every 15 seconds, together with those of the same credential, which then share what
   * they check
   * @throws ApiError 429 `too_many_streams`
   */
  take(
    caller: Pick<Caller, 'actor' | 'businessId'>,
    operation: string,
    beat: () => void,
  ): Promise<{ leave(): void }>
  /** Calls `stop` when the process stops, until the result is called. */
  onStop(stop: () => void): () => void
  /** Counts a WebSocket that has ended; null: its client closed it, or is gone. */
  ended(code: number | null): void
  /** Frees all places before the process ends, also those whose clients have not answered the close. */
  freeAll(): Promise<void>
}

const beatMs = 15_000
/** Of a place: longer than two beats, because Redis may be slow. */
const placeLeaseMs = 45_000
/** Between two requests for equal quotes. */
const quoteMs = 1000
const retryAfterSeconds = 5

interface Holder {
  /** By place. */
  beats: Map<string, () => void>
  timer: NodeJS.Timeout
}

interface StreamsContext {
  redis: RedisClient
  log: Log
  metrics: Metrics
  stopping: AbortSignal
}

export function createStreams(ctx: StreamsContext, limits: StreamLimits): Streams {
  const { log, metrics, stopping } = ctx
  const { prefix, perCredential } = limits
  const places = createPlaces(ctx, { prefix, perCredential, leaseMs: placeLeaseMs })
  const holders = new Map<string, Holder>()
  const open = new Map<string, number>()
  const ofBusinesses = new Map<string, number>()
  let all = 0
  const ends = metrics.counter('stream_ends_total', 'Streams of quotes that ended, by close code', ['code'])
  const requests = metrics.counter('stream_requests_total', 'Requests for quotes that streams share', [
    'outcome',
  ])
  for (const code of ['client', ...Object.values(codes), 4401, 4403, 4429, 4500])
    ends.inc({ code: String(code) }, 0)
  for (const outcome of ['answered', 'failed']) requests.inc({ outcome }, 0)
  for (const operation of limits.operations) open.set(operation, 0)
  metrics.collected('streams', 'Open streams of quotes', ['operation'], (gauge) => {
    for (const [operation, count] of open) gauge.set({ operation }, count)
  })

  const freeing = new Set<Promise<void>>()
  function free(credential: string, place: string): void {
    const freed = places.free(credential, place).finally(() => freeing.delete(freed))
    freeing.add(freed)
  }

  // One listener for all: many on one signal are reported as a leak.
  const stops = new Set<() => void>()
  stopping.addEventListener('abort', () => {
    for (const stop of [...stops]) stop()
  })

  function holderOf(credential: string): Holder {
    const known = holders.get(credential)
    if (known) return known
    const beats = new Map<string, () => void>()
    const timer = setInterval(() => {
      for (const beat of [...beats.values()]) beat()
      if (beats.size > 0) void places.renew(credential, [...beats.keys()])
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
    async take({ actor, businessId }, operation, beat) {
      const credential = `${actor.kind}:${actor.id}`
      const tooMany = () => tooManyStreams(`A credential may have ${perCredential} streams at the same time`)
      if ((holders.get(credential)?.beats.size ?? 0) >= perCredential) throw tooMany()
      if ((ofBusinesses.get(businessId) ?? 0) >= limits.perBusiness) {
        throw tooManyStreams(
          `A business may have ${limits.perBusiness} streams at the same time in a process`,
        )
      }
      if (all >= limits.inAll) throw tooManyStreams('Too many streams are open right now')
      const holder = holderOf(credential)
      const place = newId()
      const count = (change: 1 | -1) => {
        all += change
        open.set(operation, (open.get(operation) ?? 0) + change)
        const left = (ofBusinesses.get(businessId) ?? 0) + change
        if (left > 0) ofBusinesses.set(businessId, left)
        else ofBusinesses.delete(businessId)
      }
      const leaveHere = () => {
        if (!holder.beats.delete(place)) return false
        count(-1)
        if (holder.beats.size > 0) return true
        clearInterval(holder.timer)
        holders.delete(credential)
        return true
      }
      // Counted here at once: many requests may wait for Redis.
      holder.beats.set(place, beat)
      count(1)
      const leave = () => void (leaveHere() && free(credential, place))
      if (await places.take(credential, place)) return { leave }
      leave()
      throw tooMany()
    },
    onStop(stop) {
      stops.add(stop)
      if (stopping.aborted) stop()
      return () => void stops.delete(stop)
    },
    async freeAll() {
      for (const [credential, { beats }] of holders) for (const place of beats.keys()) free(credential, place)
      await Promise.all(freeing)
    },
    ended: (code) => ends.inc({ code: code === null ? 'client' : String(code) }),
  }
}

const tooManyStreams = (message: string): ApiError =>
  new ApiError(429, 'too_many_streams', message, { retryAfterSeconds })
