import type { Dispatcher } from 'undici'
import { BaseError, messageOf } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { type TraceContext, writeTraceparent } from '../platform/telemetry/scope.ts'
import { inSpan, openOnBehalf, type Span } from '../platform/telemetry/tracing.ts'
import type { OwnHeaders } from './ownHeaders.ts'
import { type Answer, post } from './post.ts'
import { parseRetryAfter } from './schedule.ts'
import { signatureHeaders } from './sign.ts'

export interface AttemptResult {
  /**
   * `gone`: the receiver refuses further events. `unsendable`: nothing was sent, and the receiver is not at
   * fault.
   */
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

interface Sending {
  dispatcher: Dispatcher
  timeoutMs: number
}

interface Signed {
  url: string
  secret: Secret
  previous?: Secret | null
  headers?: OwnHeaders
  id: string
  body: string
  /** The delivery; without one it is a part of the current work. */
  of?: { traceparent?: string | null; deliveryId: string; type: string; attempts: number }
  /** @param trace of the attempt, for its exemplar */
  ended?(result: AttemptResult, trace: TraceContext | null): void
}

/**
 * Posts a signed event once. Only a 2xx counts as delivered; redirects are not followed; 410 means that the
 * endpoint is gone. Never throws: errors are in the result. In traces the first attempt is a part of what
 * recorded the event; later ones are linked to it.
 */
export async function attemptDelivery(ctx: Sending, message: Signed): Promise<AttemptResult> {
  const { of } = message
  if (!of) return inSpan('POST', { kind: 'client' }, (span) => traced(ctx, message, span))
  const options = { kind: 'client', again: of.attempts > 1 } as const
  const span = openOnBehalf(of.traceparent ?? null, `deliver ${of.type}`, options)
  const result = await traced(ctx, message, span)
  span.end()
  return result
}

/** Most attempts are not recorded, so that attributes are set at the end. */
async function traced(ctx: Sending, message: Signed, span: Span): Promise<AttemptResult> {
  const result = await attempt(ctx, message, span.trace)
  if (span.isRecorded) note(span, message, result)
  message.ended?.(result, span.trace)
  return result
}

function note(span: Span, { url, id, of }: Signed, { outcome, responseStatus }: AttemptResult): void {
  span.set({
    'http.request.method': 'POST',
    'server.address': URL.parse(url)?.hostname,
    'http.response.status_code': responseStatus,
    ...(of && {
      'messaging.message.id': id,
      'cowry.event.type': of.type,
      'cowry.delivery.id': of.deliveryId,
      'cowry.delivery.attempt': of.attempts,
    }),
  })
  if (outcome !== 'delivered') span.fail(responseStatus === null ? outcome : String(responseStatus))
}

async function attempt(ctx: Sending, message: Signed, trace: TraceContext | null): Promise<AttemptResult> {
  const at = new Date()
  if (Buffer.byteLength(message.body) > maxBytes) return unsendable
  const {
    status: responseStatus,
    retryAfter,
    body: responseBody,
    error: cause,
  } = await send(ctx, message, at, trace)
  const error = cause === null ? null : shownCause(cause).slice(0, 500)
  const good = error === null && responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const failure = responseStatus === 410 ? 'gone' : 'failed'
  return {
    outcome: good ? 'delivered' : failure,
    responseStatus,
    responseBody,
    error: good ? null : (error ?? `status ${responseStatus}`),
    durationMs: Date.now() - at.getTime(),
    retryAfterMs: parseRetryAfter(retryAfter, at),
  }
}

/** Deliveries show it to the owner of the endpoint. */
const shownCause = (cause: unknown): string =>
  cause instanceof BaseError ? cause.publicText : messageOf(cause)

const unsendable: AttemptResult = {
  outcome: 'unsendable',
  responseStatus: null,
  responseBody: null,
  error: `the body is larger than ${maxBytes} bytes and was not sent; GET /events/{id} has it`,
  durationMs: 0,
  retryAfterMs: null,
}

async function send(ctx: Sending, message: Signed, at: Date, trace: TraceContext | null): Promise<Answer> {
  const { url, secret, id, body, previous } = message
  try {
    const target = new URL(url)
    return await post(ctx.dispatcher, {
      origin: target.origin,
      path: target.pathname + target.search,
      headers: {
        ...(trace && { traceparent: writeTraceparent(trace) }),
        ...message.headers,
        'content-type': 'application/json',
        'user-agent': 'Cowry-Webhooks/1',
        ...signatureHeaders(secret, id, at, body, previous),
      },
      body,
      timeoutMs: ctx.timeoutMs,
      keptBytes,
    })
  } catch (error) {
    return { status: null, retryAfter: undefined, body: null, error }
  }
}
