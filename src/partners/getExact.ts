import type { z } from 'zod'
import { messageOf } from '../platform/errors.ts'
import { problemOfNumber } from '../platform/exactJson.ts'
import type { Secret } from '../platform/secrets.ts'
import { inSpan } from '../platform/telemetry/tracing.ts'
import type { JsonValue } from '../swaps/json.ts'
import { SwapProviderError } from '../swaps/provider.ts'
import { JsonNumber, parseExact, plainDecimal } from './exactJson.ts'

/** The account at a swap provider. */
export interface SwapAccount {
  url: string
  apiKey: Secret
  perSecond: number
  /** 5 s by default. */
  timeoutMs?: number
}

const timeoutMs = 5000
/** A route of many hops, with its lookup tables, has about 100 kB. */
const maxAnswerBytes = 2 ** 20

export interface ExactAnswer {
  status: number
  /** JSON whose numbers are `JsonNumber`; undefined for a text that is not JSON. */
  content: unknown
}

/**
 * Sends a GET once, and reads its whole answer.
 * @throws SwapProviderError `unavailable`, `throttled`
 */
export function getExact(
  account: SwapAccount,
  path: string,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<ExactAnswer> {
  const server = new URL(account.url).hostname
  return inSpan(
    `GET ${server}`,
    { kind: 'client', attributes: { 'http.request.method': 'GET', 'server.address': server } },
    async (span) => {
      const answer = await send(account, path, query, headers)
      span.set({ 'http.response.status_code': answer.status })
      return answer
    },
  )
}

async function send(
  { url: base, timeoutMs: deadlineMs = timeoutMs }: SwapAccount,
  path: string,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<ExactAnswer> {
  const { request } = await import('undici')
  const url = new URL(base.replace(/\/+$/, '') + path)
  url.search = new URLSearchParams(query).toString()
  try {
    const signal = AbortSignal.timeout(deadlineMs)
    const answer = await request(url, { headers: { accept: 'application/json', ...headers }, signal })
    const text = await readText(answer.body as AsyncIterable<Buffer>)
    if (answer.statusCode === 429) throw throttled(answer.headers['retry-after'])
    const { statusCode: status } = answer
    if (status >= 500) throw new SwapProviderError('unavailable', `It answered ${status}`)
    return { status, content: parsed(text) }
  } catch (error) {
    if (error instanceof SwapProviderError) throw error
    throw new SwapProviderError('unavailable', `It did not answer: ${messageOf(error)}`)
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

/** A longer pause is not what a caller can wait for. */
const maxRetrySeconds = 60

function throttled(retryAfter: unknown): SwapProviderError {
  const seconds = typeof retryAfter === 'string' && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : null
  const bounded = seconds === null ? null : Math.min(Math.max(seconds, 1), maxRetrySeconds)
  return new SwapProviderError('throttled', 'It answered 429', bounded)
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

/** @throws SwapProviderError `malformed`, naming the wrong fields without their content */
export function readForm<Form extends z.ZodType>(form: Form, content: unknown): z.output<Form> {
  const outcome = form.safeParse(content)
  if (outcome.success) return outcome.data
  const names = outcome.error.issues.map(({ path }) => path.join('.') || 'the whole')
  const fields = [...new Set(names)].slice(0, 5).join(', ')
  throw new SwapProviderError('malformed', `It answered in another form than documented: ${fields}`)
}

/** The named fields of an answer. Numbers that a JSON number cannot hold exactly are strings. */
export function pickExact(content: unknown, names: readonly string[]): Record<string, JsonValue> {
  const given = Object.entries(content as object)
  const picked = given.filter(([name]) => names.includes(name))
  return Object.fromEntries(picked.map(([name, value]) => [name, plain(value)]))
}

function plain(value: unknown): JsonValue {
  if (value instanceof JsonNumber) return plainNumber(value.literal)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

function plainNumber(literal: string): number | string {
  if (problemOfNumber(literal) === null) return Number(literal)
  return plainDecimal(literal) ?? literal
}
