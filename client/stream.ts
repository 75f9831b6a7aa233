import { ConnectionError } from './errors.ts'
import { type ApiRequest, connectionError, requireSuccess, type Sending, unexpectedAnswer } from './send.ts'

/** One message of a stream; without data it is a heartbeat or a setting. */
export interface StreamMessage {
  id?: string
  data?: string
  retry?: number
}

/** Cowry sends something every 15 seconds. */
const silentMs = 45_000
/** An event has 20 kB at most. */
const maxMessage = 1_000_000

/**
 * Opens a stream of Server-Sent Events (WHATWG HTML, 9.2) and yields its messages until the server ends it.
 * @throws CowryError; the reason of an aborted signal
 */
export async function* openStream(
  ctx: Pick<Sending, 'fetch' | 'cookies' | 'timeoutMs'>,
  request: ApiRequest,
  signal?: AbortSignal,
): AsyncGenerator<StreamMessage, void, undefined> {
  signal?.throwIfAborted()
  const headers = await request.headers()
  headers.set('accept', 'text/event-stream')
  const aborting = new AbortController()
  const abort = () => aborting.abort()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const { fetch = globalThis.fetch } = ctx
    const opening = fetch(request.url, {
      method: request.method,
      headers,
      signal: aborting.signal,
      credentials: ctx.cookies,
      redirect: 'manual',
    })
    const response = await within(opening, ctx.timeoutMs, request, abort)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    if (!response.ok || !response.body || !isStream) {
      requireSuccess(request, {
        status: response.status,
        headers: response.headers,
        text: await within(response.text(), ctx.timeoutMs, request, abort),
      })
      throw unexpectedAnswer(request, response, 'invalid_answer', 'not a stream of events')
    }
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      // The caller may take its time between two messages: only reading has a deadline.
      const { done, value } = await within(reader.read(), silentMs, request, abort)
      if (done) return
      text += decoder.decode(value, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      if (text.length > maxMessage)
        throw unexpectedAnswer(request, response, 'invalid_answer', 'not a stream of events')
      for (const message of messages) yield parse(message)
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
    abort()
  }
}

/** @throws CowryError */
async function within<T>(
  work: Promise<T>,
  ms: number,
  { operation }: ApiRequest,
  abort: () => void,
): Promise<T> {
  let late = false
  const timer = setTimeout(() => {
    late = true
    abort()
  }, ms)
  try {
    return await work
  } catch (error) {
    throw error instanceof ConnectionError ? error : connectionError(operation, error, late ? ms : null)
  } finally {
    clearTimeout(timer)
  }
}

function parse(message: string): StreamMessage {
  const parsed: StreamMessage = {}
  for (const line of message.split('\n')) {
    const [, field, value = ''] = /^(id|data|retry): ?(.*)$/.exec(line.replace(/\r$/, '')) ?? []
    if (field === 'id') parsed.id = value
    if (field === 'data') parsed.data = parsed.data === undefined ? value : `${parsed.data}\n${value}`
    if (field === 'retry' && /^\d{1,6}$/.test(value)) parsed.retry = Number(value)
  }
  return parsed
}
