import type { Dispatcher } from 'undici'
import { messageOf } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import type { OwnHeaders } from './ownHeaders.ts'
import { parseRetryAfter } from './schedule.ts'
import { signatureHeaders } from './sign.ts'

export interface AttemptResult {
  /** `gone`: the receiver refuses further events. `unsendable`: nothing was sent, and the receiver is not at fault. */
  outcome: 'delivered' | 'failed' | 'gone' | 'unsendable'
  responseStatus: number | null
  /** The first 4 kB of the response. */
  responseBody: string | null
  error: string | null
  durationMs: number
  retryAfterMs: number | null
}

const keptBytes = 4096
/** Larger bodies are never sent: receivers may rely on it. */
const maxBytes = 20_000

/**
 * Posts a signed event once. Only a 2xx counts as delivered; redirects are not followed; 410 means that the endpoint is
 * gone. Never throws: errors are in the result.
 */
export async function attemptDelivery(
  ctx: { dispatcher: Dispatcher; timeoutMs: number },
  message: { url: string; secret: Secret; previous?: Secret | null; headers?: OwnHeaders; id: string; body: string },
): Promise<AttemptResult> {
  const at = new Date()
  if (Buffer.byteLength(message.body) > maxBytes) return unsendable
  let responseStatus: number | null = null
  let responseBody: string | null = null
  let retryAfterMs: number | null = null
  let error: string | null = null
  try {
    const target = new URL(message.url)
    const response = await ctx.dispatcher.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: 'POST',
      headers: {
        ...message.headers,
        'content-type': 'application/json',
        'user-agent': 'Cowry-Webhooks/1',
        ...signatureHeaders(message.secret, message.id, at, message.body, message.previous),
      },
      body: message.body,
      // One deadline for the whole response: a receiver that drips bytes cannot exceed it.
      signal: AbortSignal.timeout(ctx.timeoutMs),
    })
    responseStatus = response.statusCode
    const header = response.headers['retry-after']
    retryAfterMs = parseRetryAfter(Array.isArray(header) ? header[0] : header, at)
    responseBody = await firstBytes(response.body, keptBytes)
  } catch (cause) {
    error = messageOf(cause).slice(0, 500)
  }
  const good = error === null && responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  return {
    outcome: good ? 'delivered' : responseStatus === 410 ? 'gone' : 'failed',
    responseStatus,
    responseBody,
    error: good ? null : (error ?? `status ${responseStatus}`),
    durationMs: Date.now() - at.getTime(),
    retryAfterMs,
  }
}

const unsendable: AttemptResult = {
  outcome: 'unsendable',
  responseStatus: null,
  responseBody: null,
  error: `the body is larger than ${maxBytes} bytes and was not sent; GET /events/{id} has it`,
  durationMs: 0,
  retryAfterMs: null,
}

/** Reads at most `max` bytes; the rest of a long response is dropped with its connection. */
async function firstBytes(body: AsyncIterable<Uint8Array> & { destroy(): unknown }, max: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= max) {
      body.destroy()
      break
    }
  }
  // Postgres text cannot contain NUL.
  return Buffer.concat(chunks).subarray(0, max).toString('utf8').replaceAll('\0', '')
}
