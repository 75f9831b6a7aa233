import type { EventType } from './contract/events.ts'
import { ConnectionError, CowryError } from './errors.ts'
import { pause } from './retry.ts'
import type { ApiRequest, Sending } from './send.ts'
import { openStream } from './stream.ts'

export interface EventOptions {
  /**
   * The sequence number of the last event that you have; 0, the default, starts with the oldest that is kept.
   */
  after?: number | undefined
  /** Types, or topics such as `session.*`; all by default. */
  types?: readonly (EventType | `${string}.*`)[] | undefined
  signal?: AbortSignal | undefined
}

const maxBackoffMs = 15_000

/** Yields events in order, each once, across any number of streams. */
export async function* followEvents<Event extends { sequence: number }>(
  ctx: Pick<Sending, 'fetch' | 'cookies' | 'timeoutMs'>,
  requestAfter: (after: number) => ApiRequest,
  { after = 0, signal }: Pick<EventOptions, 'after' | 'signal'>,
): AsyncGenerator<Event, void, undefined> {
  let failures = 0
  let retryMs = 1000
  for (let last = after; ; ) {
    try {
      for await (const { id, data, retry } of openStream(ctx, requestAfter(last), signal)) {
        failures = 0
        retryMs = retry ?? retryMs
        if (data !== undefined) {
          const event = JSON.parse(data) as Event
          if (event.sequence <= last) continue
          last = event.sequence
          yield event
        } else if (id !== undefined && Number(id) > last) last = Number(id)
      }
      await pause(retryMs * Math.random(), signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof CowryError) || !mayPass(error)) throw error
      const backoff = Math.min(maxBackoffMs, retryMs * 2 ** failures++)
      await pause(
        Math.max((error.retryAfterSeconds ?? 0) * 1000, backoff * (0.5 + Math.random() / 2)),
        signal,
      )
    }
  }
}

const mayPass = (error: CowryError): boolean =>
  error instanceof ConnectionError || error.status === 429 || error.status >= 500
