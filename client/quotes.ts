import { AuthenticationError, ConnectionError, CowryError } from './errors.ts'
import { readError } from './readError.ts'
import { pause } from './retry.ts'

/** The part of a WebSocket (WHATWG) that the client uses. */
export interface QuoteSocket {
  onopen: (() => void) | null
  onmessage: ((message: { data: unknown }) => void) | null
  onclose: ((closed: { code: number }) => void) | null
  send(text: string): void
  close(): void
}

export interface QuoteStream {
  operation: string
  connect(): QuoteSocket
  /** The first message. */
  credential(): Promise<object>
  /**
   * Throws the reason if the API refuses the request before it becomes a WebSocket: a WebSocket does not show
   * it.
   */
  explain(): Promise<void>
  /** Called when there is no price now: the last quote is not valid any more. */
  onError?: ((error: CowryError) => void) | undefined
  /** Until the first quote. */
  timeoutMs: number
}

interface Message {
  quote?: { expiresAt?: string }
  error?: object
}

const maxBackoffMs = 15_000
/** A quote is renewed before it expires. Longer than that means a dead connection; clocks may differ. */
const [minSilentMs, graceMs] = [60_000, 10_000]

/**
 * Yields the newest quote across any number of connections. A loop that takes its time misses quotes between,
 * never the newest.
 */
export async function* followQuotes<Quote>(
  stream: QuoteStream,
  signal?: AbortSignal,
): AsyncGenerator<Quote, void, undefined> {
  let hadQuotes = false
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted()
    let isOpen = false
    let sent: string | null = null
    const onError = (error: CowryError) => {
      sent = error.code
      stream.onError?.(error)
    }
    try {
      for await (const quote of openQuotes({ ...stream, onError }, signal)) {
        ;[isOpen, hadQuotes, failures] = [true, true, 0]
        yield quote as Quote
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof CowryError) || !mayPass(error, isOpen, hadQuotes)) throw error
      // An error that closes a stream came as its last message, too.
      if (error.code !== sent) stream.onError?.(error)
    }
    await pause(Math.min(maxBackoffMs, 500 * 2 ** failures) * (0.5 + Math.random() / 2), signal)
  }
}

/**
 * An access token that was accepted has run its time: the next connection gets a new one. A pair that had
 * quotes before will have some again, for instance liquidity.
 */
const mayPass = (error: CowryError, wasOpen: boolean, hadQuotes: boolean): boolean =>
  error instanceof ConnectionError ||
  error.status === 426 ||
  error.status === 429 ||
  error.status >= 500 ||
  (hadQuotes && error.status === 422) ||
  (wasOpen && error instanceof AuthenticationError)

async function* openQuotes(
  stream: QuoteStream,
  signal: AbortSignal | undefined,
): AsyncGenerator<object, void, undefined> {
  const credential = JSON.stringify(await stream.credential())
  signal?.throwIfAborted()
  const socket = stream.connect()
  let wake = () => {}
  let newest: Message['quote'] | null = null
  let failure: object | null = null
  let closed: number | null = null
  let isOpen = false
  let deadline = Date.now() + stream.timeoutMs
  socket.onopen = () => {
    isOpen = true
    socket.send(credential)
  }
  socket.onmessage = ({ data }) => {
    const { quote, error } = JSON.parse(String(data)) as Message
    newest = quote ?? null
    failure = error ?? null
    if (error) stream.onError?.(errorIn(error))
    const life = quote?.expiresAt === undefined ? 0 : Date.parse(quote.expiresAt) - Date.now()
    deadline = Date.now() + Math.max(minSilentMs, life) + graceMs
    wake()
  }
  socket.onclose = ({ code }) => {
    closed = code
    wake()
  }
  try {
    for (;;) {
      signal?.throwIfAborted()
      const quote: Message['quote'] | null = newest
      newest = null
      if (quote) yield quote
      else if (closed !== null) throw await reasonOf(stream, closed, failure, isOpen)
      else if (Date.now() >= deadline)
        throw new ConnectionError('timeout', `${stream.operation}: the stream is silent`)
      else await woken(deadline - Date.now(), signal, (ring) => (wake = ring))
    }
  } finally {
    socket.onclose = null
    socket.onmessage = null
    socket.close()
  }
}

/** An error among the messages has no status of its own: there is no price now. */
const errorIn = (error: object): CowryError =>
  readError({ status: 503, headers: new Headers(), text: JSON.stringify(error) })

/** Close codes from 4400 on are 4000 + the status of the same error over HTTP. */
async function reasonOf(
  stream: QuoteStream,
  code: number,
  error: object | null,
  wasOpen: boolean,
): Promise<Error> {
  if (code >= 4400 && code < 4600)
    return readError({ status: code - 4000, headers: new Headers(), text: JSON.stringify(error ?? {}) })
  if (!wasOpen) await stream.explain()
  return new ConnectionError('no_answer', `${stream.operation}: the connection was closed (${code})`)
}

/** @throws the reason of an aborted signal */
function woken(
  ms: number,
  signal: AbortSignal | undefined,
  listen: (ring: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      listen(() => {})
      resolve()
    }
    // A promise that is rejected is not resolved any more.
    const stop = () => {
      reject(signal?.reason)
      done()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', stop, { once: true })
    listen(done)
  })
}
