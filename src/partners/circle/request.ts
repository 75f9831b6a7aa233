import type { z } from 'zod'
import { AttestationsError } from '../../bridge/attestations.ts'
import { messageOf } from '../../platform/errors.ts'
import { inSpan } from '../../platform/telemetry/tracing.ts'
import { parseExact } from '../exactJson.ts'

export interface CircleService {
  url: string
  perSecond: number
  /** 5 s by default. */
  timeoutMs?: number
}

const timeoutMs = 5000
/** A transaction with many messages. */
const maxAnswerBytes = 2 ** 20
/** Circle blocks callers for five minutes (developers.circle.com/cctp, "API Service Rate Limit"). */
const maxRetrySeconds = 300

export interface CircleAnswer {
  status: number
  /** Undefined for a text that is not JSON. */
  content: unknown
}

/**
 * Sends a request once, and reads its whole answer. 404 is an answer.
 * @throws AttestationsError
 */
export function request(service: CircleService, method: 'GET' | 'POST', path: string): Promise<CircleAnswer> {
  const attributes = { 'http.request.method': method, 'server.address': new URL(service.url).hostname }
  return inSpan(`${method} circle`, { kind: 'client', attributes }, async (span) => {
    const answer = await send(service, method, path)
    span.set({ 'http.response.status_code': answer.status })
    return answer
  })
}

async function send(service: CircleService, method: 'GET' | 'POST', path: string): Promise<CircleAnswer> {
  const { request } = await import('undici')
  const url = service.url.replace(/\/+$/, '') + path
  try {
    const signal = AbortSignal.timeout(service.timeoutMs ?? timeoutMs)
    const answer = await request(url, { method, headers: { accept: 'application/json' }, signal })
    const text = await readText(answer.body as AsyncIterable<Buffer>)
    const { statusCode: status, headers } = answer
    if (status === 429) throw throttled(headers['retry-after'])
    if (status !== 404 && (status < 200 || status > 299))
      throw new AttestationsError('unavailable', `It answered ${status}`)
    return { status, content: parsed(text) }
  } catch (error) {
    if (error instanceof AttestationsError) throw error
    throw new AttestationsError('unavailable', `It did not answer: ${messageOf(error)}`)
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > maxAnswerBytes) throw new Error('the answer is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function throttled(retryAfter: unknown): AttestationsError {
  const seconds = typeof retryAfter === 'string' && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : null
  return new AttestationsError(
    'throttled',
    'It answered 429',
    Math.min(Math.max(seconds ?? maxRetrySeconds, 1), maxRetrySeconds),
  )
}

/** Undefined also for a text with NUL, which no database takes. */
function parsed(text: string): unknown {
  if (/\\u0000/.test(text)) return undefined
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** @throws AttestationsError `malformed`, naming the wrong fields without their content */
export function readForm<Form extends z.ZodType>(form: Form, content: unknown): z.output<Form> {
  const outcome = form.safeParse(content)
  if (outcome.success) return outcome.data
  const names = outcome.error.issues.map(({ path }) => path.join('.') || 'the whole')
  const fields = [...new Set(names)].slice(0, 5).join(', ')
  throw new AttestationsError('malformed', `It answered in another form than documented: ${fields}`)
}
