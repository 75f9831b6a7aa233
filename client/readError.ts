import {
  AuthenticationError,
  CowryError,
  type ErrorDetails,
  type FieldError,
  IdempotencyConflictError,
  InsufficientCreditError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ValidationError,
} from './errors.ts'

/** An HTTP answer that was read to its end. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

type Fields = Record<string, unknown>

/** The typed error of an answer that is no success, whatever stands in its body: a proxy's page is not repeated to anybody. */
export function readError(answer: Answer, now = Date.now()): CowryError {
  const { status, headers } = answer
  const body = objectIn(answer.text)
  const code = textOf(body.error) ?? `http_${status}`
  const details: ErrorDetails = {
    status,
    code,
    message: textOf(body.message) ?? (code.startsWith('http_') ? `The answer was ${status}, without an error of Cowry's` : code),
    requestId: textOf(body.requestId) ?? headers.get('x-request-id') ?? undefined,
    fields: fieldsOf(body.fields),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), now),
  }
  if (idempotencyConflicts.has(`${status} ${code}`)) return new IdempotencyConflictError(details)
  if (status === 402) return new InsufficientCreditError({ ...details, pending: body.pending === true, statusUrl: textOf(body.statusUrl) })
  const Kind = kinds[status] ?? CowryError
  return new Kind(details)
}

const idempotencyConflicts = new Set(['409 request_in_progress', '422 idempotency_key_reused'])

const kinds: Record<number, new (details: ErrorDetails) => CowryError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  429: RateLimitError,
}

/** Seconds, of either form of RFC 9110 (10.2.3): seconds, or a date. Undefined for anything else. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const value = header.trim()
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

function objectIn(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function fieldsOf(value: unknown): FieldError[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((each: Fields | null) => {
    const [field, message] = [textOf(each?.field), textOf(each?.message)]
    return field === undefined ? [] : [{ field, message: message ?? 'is not valid' }]
  })
}
