import type { Dispatcher } from 'undici'

export interface Answer {
  /** Null: no answer. */
  status: number | null
  retryAfter: string | undefined
  /** Null: it did not come to its end. */
  body: string | null
  error: unknown
}

interface Post {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  /** One deadline for the whole response: a receiver that drips bytes cannot exceed it. */
  timeoutMs: number
  /** Reads at most these bytes; the rest of a longer response is dropped with its connection. */
  keptBytes: number
}

/**
 * Posts once; never throws. A handler of our own, because undici's `request` makes a stream for each
 * response, and needs an abort signal for the deadline.
 */
export function post(
  dispatcher: Dispatcher,
  { origin, path, headers, body, timeoutMs, keptBytes }: Post,
): Promise<Answer> {
  return new Promise((done) => {
    const chunks: Uint8Array[] = []
    let length = 0
    let status: number | null = null
    let retryAfter: string | undefined
    let controller: { abort(reason: Error): void } | null = null
    let late: Error | null = null
    const timer = setTimeout(() => {
      late = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      controller?.abort(late)
    }, timeoutMs)
    const failed = (error: unknown) => {
      clearTimeout(timer)
      done({ status, retryAfter, body: null, error })
    }
    const ended = () => {
      clearTimeout(timer)
      // Postgres text cannot contain NUL.
      done({
        status,
        retryAfter,
        body: Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\0', ''),
        error: null,
      })
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // undici starts a request once it has a connection; the deadline may be over by then.
        if (late) started.abort(late)
      },
      onResponseStart(_, code, fields) {
        if (code < 200) return
        status = code
        const field = fields['retry-after']
        retryAfter = Array.isArray(field) ? field[0] : field
      },
      onResponseData(reading, chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length < keptBytes) return
        ended()
        reading.abort(new Error('the rest is not read'))
      },
      onResponseEnd: ended,
      onResponseError: (_, error) => failed(error),
    }
    try {
      dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, handler)
    } catch (error) {
      failed(error)
    }
  })
}
