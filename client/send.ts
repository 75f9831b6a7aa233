import { ConnectionError, type ConnectionFailure, CowryError } from './errors.ts'
import { type Answer, readError } from './readError.ts'
import { pause, waitBeforeRepeat } from './retry.ts'

export interface Sending {
  /** Undefined: the global `fetch`, read at each request. */
  fetch: typeof globalThis.fetch | undefined
  retries: number
  /** Of one attempt, including its answer's body. */
  timeoutMs: number
  maxWaitMs: number
  /** Cookies sent with a request in a browser. */
  cookies: 'omit' | 'same-origin'
}

export interface ApiRequest {
  /** Names the request in messages. */
  operation: string
  method: string
  url: string
  body: string | FormData | undefined
  safe: boolean
  /** Its answer is a file. */
  binary?: boolean
  /** Created for each attempt: an access token may have expired meanwhile. */
  headers: () => Promise<Headers>
}

/**
 * Sends a request. Returns the body of the 2xx answer; undefined if it is empty, a Blob if it is a file.
 * @throws CowryError otherwise, or the reason of an aborted signal
 */
export async function send(ctx: Sending, request: ApiRequest, signal?: AbortSignal): Promise<unknown> {
  for (let repeats = 0; ; repeats++) {
    signal?.throwIfAborted()
    const headers = await request.headers()
    try {
      return readAnswer(request, await attempt(ctx, request, headers, signal))
    } catch (error) {
      if (!(error instanceof CowryError)) throw error
      const wait = waitBeforeRepeat(error, {
        repeats,
        retries: ctx.retries,
        safe: request.safe,
        maxWaitMs: ctx.maxWaitMs,
      })
      if (wait === null) throw error
      await pause(wait, signal)
    }
  }
}

async function attempt(
  ctx: Sending,
  request: ApiRequest,
  headers: Headers,
  signal?: AbortSignal,
): Promise<Answer> {
  const { operation, method, url, body } = request
  // Called as a bare function: a browser's fetch refuses to be called as a method.
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
      // A followed redirect would send X-API-Key to another site.
      redirect: 'manual',
    })
    const { status, headers: answered } = response
    if (request.binary && response.ok)
      return { status, headers: answered, text: '', file: await response.blob() }
    return { status, headers: answered, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    throw connectionError(operation, error, late ? ctx.timeoutMs : null)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function readAnswer(request: ApiRequest, answer: Answer): unknown {
  requireSuccess(request, answer)
  if (answer.file) return answer.file
  if (answer.text === '') return undefined
  try {
    return JSON.parse(answer.text)
  } catch {
    throw unexpectedAnswer(request, answer, 'invalid_answer', 'not JSON')
  }
}

/** @throws CowryError */
export function requireSuccess(request: ApiRequest, answer: Answer): void {
  const { status } = answer
  // Browsers show a redirect that is not followed as status 0.
  if (status === 0 || (status >= 300 && status < 400))
    throw unexpectedAnswer(request, answer, 'redirected', 'a redirect, which is not followed')
  if (status < 200 || status >= 300) throw readError(answer)
}

export function unexpectedAnswer(
  { operation }: ApiRequest,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  code: string,
  what: string,
): CowryError {
  const message = `${operation}: the answer is ${what}; baseUrl may be wrong`
  return new CowryError({ status, code, message, requestId: headers.get('x-request-id') ?? undefined })
}

interface Failure {
  code?: unknown
  syscall?: unknown
  cause?: Failure
  errors?: Failure[]
}

/** An error of `fetch`. Keeps only the error's code: errors of fetch may quote the call's arguments. */
export function connectionError(operation: string, error: unknown, afterMs: number | null): ConnectionError {
  if (afterMs !== null) return new ConnectionError('timeout', `${operation}: no answer within ${afterMs} ms`)
  const cause = (error as { cause?: Failure } | null)?.cause
  const code: ConnectionFailure = neverSent(cause) ? 'not_connected' : 'no_answer'
  const detail = typeof cause?.code === 'string' && /^\w{1,60}$/.test(cause.code) ? ` (${cause.code})` : ''
  return new ConnectionError(
    code,
    `${operation}: ${code === 'not_connected' ? 'no connection' : 'no answer'}${detail}`,
  )
}

/** Whether connecting failed, by Node's system call; with several addresses, at each of them. */
function neverSent(cause: Failure | undefined): boolean {
  if (cause?.errors?.length) return cause.errors.every(neverSent)
  return (
    cause?.syscall === 'connect' ||
    cause?.syscall === 'getaddrinfo' ||
    cause?.code === 'UND_ERR_CONNECT_TIMEOUT'
  )
}
