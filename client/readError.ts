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

/** A complete HTTP answer. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** In place of the text, where a file was wanted. */
  file?: Blob
}

type Fields = Record<string, unknown>

/** The typed error of a failed answer, with any body: a proxy's page is not quoted. */
export function readError(answer: Answer, now = Date.now()): CowryError {
  const { status, headers } = answer
  const body = objectIn(answer.text)
  const code = textOf(body.error) ?? `http_${status}`
  const details: ErrorDetails = {
    status,
    code,
    message:
      textOf(body.message) ??
      (code.startsWith('http_') ? `The server answered ${status}, without an error of Cowry` : code),
    requestId: textOf(body.requestId) ?? headers.get('x-request-id') ?? undefined,
    fields: fieldsOf(body.fields),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after'), now),
  }
  if (idempotencyConflicts.has(`${status} ${code}`)) return new IdempotencyConflictError(details)
  if (status === 402)
    return new InsufficientCreditError({
      ...details,
      pending: body.pending === true,
      statusUrl: textOf(body.statusUrl),
    })
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

/** `Retry-After` in seconds, from seconds or a date (RFC 9110, 10.2.3). Undefined for other values. */
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

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function fieldsOf(value: unknown): FieldError[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((each: Fields | null) => {
    const [field, message] = [textOf(each?.field), textOf(each?.message)]
    return field === undefined ? [] : [{ field, message: message ?? 'is not valid' }]
  })
}
