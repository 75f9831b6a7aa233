import { ApiError } from '../../src/platform/errors.ts'
import type { QuoteSource, StreamedQuote } from '../../src/platform/quoteSource.ts'
import { outOfScope } from '../../src/platform/telemetry/scope.ts'
import { unexpected } from '../middleware/outcomes.ts'

/** The newest answer of a source: a message as JSON, or why it is missing. */
export type Newest = { message: string } | { failure: ApiError }

export interface SharedQuotes {
  /**
   * Sends each new answer of a source to the `reader` of a business, until `leave` is called. Sources with
   * the same key are requested once for all readers.
   * @returns the newest answer, requested if no other reader has one
   */
  join(
    source: QuoteSource,
    businessId: string,
    reader: (newest: Newest) => void,
  ): Promise<{ newest: Newest; leave(): void }>
}

interface Shared {
  /** Their businesses. */
  readers: Map<(newest: Newest) => void, string>
  newest: Newest | null
  version: string | null
  renewAt: number
  /** Sends a failure again. */
  repeat: NodeJS.Timeout | null
  first: Promise<void>
  /** Aborted when the last reader has left. */
  over: AbortController
}

/**
 * A failure is sent again after this, also while the next request waits: a client takes a silent stream for a
 * dead one.
 */
const repeatFailureMs = 30_000

/** Failures that do not end by themselves. */
const lasting: ReadonlySet<number> = new Set([400, 401, 403, 404])
export const isLasting = ({ status }: ApiError): boolean => lasting.has(status)

/**
 * @param options.everyMs the time between two requests to a source
 * @param options.failed called for a failure that is not an ApiError
 */
export function createSharedQuotes(options: {
  everyMs: number
  requested(outcome: 'answered' | 'failed'): void
  failed(cause: unknown): void
}): SharedQuotes {
  const byKey = new Map<string, Shared>()

  async function request(shared: Shared, source: QuoteSource): Promise<void> {
    const { signal } = shared.over
    try {
      const quote = await source.request({ signal, businesses: () => new Set(shared.readers.values()) })
      options.requested('answered')
      take(shared, quote)
    } catch (cause) {
      // A request that was given up is no failure.
      if (signal.aborted) return
      options.requested('failed')
      const failure = cause instanceof ApiError ? cause : unexpected(cause)
      if (!(cause instanceof ApiError) && shared.version !== failure.error) options.failed(cause)
      if (shared.version !== failure.error) fail(shared, failure)
    }
  }

  function fail(shared: Shared, failure: ApiError): void {
    stopRepeat(shared)
    shared.version = failure.error
    shared.repeat = setInterval(() => publish(shared, { failure }), repeatFailureMs)
    publish(shared, { failure })
  }

  function take(shared: Shared, { version, renewAt, present }: StreamedQuote): void {
    const named = `quote ${version}`
    if (shared.version === named && Date.now() < shared.renewAt) return
    const message = JSON.stringify({ quote: present() })
    stopRepeat(shared)
    Object.assign(shared, { version: named, renewAt })
    publish(shared, { message })
  }

  function publish(shared: Shared, newest: Newest): void {
    shared.newest = newest
    for (const reader of [...shared.readers.keys()]) reader(newest)
  }

  /** Requests do not overlap: a source that is slow is requested less often. */
  function begin(source: QuoteSource): Shared {
    const over = new AbortController()
    const shared: Shared = {
      readers: new Map(),
      newest: null,
      version: null,
      renewAt: 0,
      repeat: null,
      first: Promise.resolve(),
      over,
    }
    const again = async () => {
      if (over.signal.aborted) return
      const started = performance.now()
      await request(shared, source)
      if (!over.signal.aborted) setTimeout(again, Math.max(0, started + options.everyMs - performance.now()))
    }
    // It goes on for readers that come later.
    shared.first = outOfScope(again)
    return shared
  }

  return {
    async join(source, businessId, reader) {
      const shared = byKey.get(source.key) ?? begin(source)
      byKey.set(source.key, shared)
      shared.readers.set(reader, businessId)
      const leave = () => {
        shared.readers.delete(reader)
        if (shared.readers.size > 0 || shared.over.signal.aborted) return
        shared.over.abort()
        stopRepeat(shared)
        byKey.delete(source.key)
      }
      await shared.first
      return { newest: shared.newest as Newest, leave }
    },
  }
}

function stopRepeat(shared: Shared): void {
  clearInterval(shared.repeat ?? undefined)
  shared.repeat = null
}
