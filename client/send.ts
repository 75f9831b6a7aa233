import { ConnectionError, type ConnectionFailure, CowryError } from './errors.ts'
import { type Answer, readError } from './readError.ts'
import { pause, waitBeforeRepeat } from './retry.ts'

export interface Sending {
  /** Undefined: the global one, looked up at each request. */
  fetch: typeof globalThis.fetch | undefined
  retries: number
  /** Of one attempt, its answer's body included. */
  timeoutMs: number
  longestWaitMs: number
  /** Which cookies go with a request in a browser. */
  cookies: 'omit' | 'same-origin'
}

export interface ApiRequest {
  /** Names the request in messages. */
  operation: string
  method: string
  url: string
  body: string | undefined
  safe: boolean
  /** Made anew for each attempt: an access token may have expired meanwhile. */
  headers: () => Promise<Headers>
}

/**
 * The body of the 2xx answer; undefined where it is empty.
 * @throws CowryError when there is none, or the signal's reason once it is aborted
 */
export async function send(ctx: Sending, request: ApiRequest, signal?: AbortSignal): Promise<unknown> {
  for (let repeats = 0; ; repeats++) {
    signal?.throwIfAborted()
    const headers = await request.headers()
    try {
      return readAnswer(request, await attempt(ctx, request, headers, signal))
    } catch (error) {
      if (!(error instanceof CowryError)) throw error
      const wait = waitBeforeRepeat(error, { repeats, retries: ctx.retries, safe: request.safe, longestWaitMs: ctx.longestWaitMs })
      if (wait === null) throw error
      await pause(wait, signal)
    }
  }
}

async function attempt(ctx: Sending, request: ApiRequest, headers: Headers, signal?: AbortSignal): Promise<Answer> {
  const { operation, method, url, body } = request
  // Called by a bare name: a browser's fetch refuses to be a method of anything else.
  const { fetch = globalThis.fetch } = ctx
  const aborting = new AbortController()
  const abort = () => aborting.abort()
  let late = false
  const timer = setTimeout(() => {
    late = true
    abort()
  }, ctx.timeoutMs)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: aborting.signal,
      credentials: ctx.cookies,
      // Followed elsewhere, a redirect would take X-API-Key along.
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    throw connectionError(operation, error, late ? ctx.timeoutMs : null)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function readAnswer(request: ApiRequest, answer: Answer): unknown {
  const { status, headers, text } = answer
  const strange = (code: string, what: string) => {
    const message = `${request.operation}: the answer is ${what}; baseUrl may be wrong`
    return new CowryError({ status, code, message, requestId: headers.get('x-request-id') ?? undefined })
  }
  // Browsers show a redirect that is not followed as status 0.
  if (status === 0 || (status >= 300 && status < 400)) throw strange('redirected', 'a redirect, which is not followed')
  if (status < 200 || status >= 300) throw readError(answer)
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw strange('invalid_answer', 'not JSON')
  }
}

interface Failure {
  code?: unknown
  syscall?: unknown
  cause?: Failure
  errors?: Failure[]
}

/** Tells only a code of what failed: errors of a fetch may hold what it was called with. */
function connectionError(operation: string, error: unknown, afterMs: number | null): ConnectionError {
  if (afterMs !== null) return new ConnectionError('timeout', `${operation}: no answer within ${afterMs} ms`)
  const cause = (error as { cause?: Failure } | null)?.cause
  const code: ConnectionFailure = neverSent(cause) ? 'not_connected' : 'no_answer'
  const detail = typeof cause?.code === 'string' && /^\w{1,60}$/.test(cause.code) ? ` (${cause.code})` : ''
  return new ConnectionError(code, `${operation}: ${code === 'not_connected' ? 'there is no connection' : 'no answer came'}${detail}`)
}

/** By the system call that failed, as Node tells it; with several addresses each of them must have failed so. */
function neverSent(cause: Failure | undefined): boolean {
  if (cause?.errors?.length) return cause.errors.every(neverSent)
  return cause?.syscall === 'connect' || cause?.syscall === 'getaddrinfo' || cause?.code === 'UND_ERR_CONNECT_TIMEOUT'
}
