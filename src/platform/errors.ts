/**
 * A failure that the caller may see. `error` is stable and documented; `message` is for people. Details for
 * the operator go into `cause`, which is only logged.
 */
export class ApiError extends Error {
  readonly status: number
  readonly error: string
  readonly fields: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly missing: Missing | undefined
  readonly businesses: readonly BusinessChoice[] | undefined
  readonly credit: MissingCredit | undefined
  constructor(
    status: number,
    error: string,
    message?: string,
    more: {
      fields?: FieldError[]
      missing?: Missing
      businesses?: readonly BusinessChoice[]
      credit?: MissingCredit
      retryAfterSeconds?: number
      cause?: unknown
    } = {},
  ) {
    super(message ?? error, { cause: more.cause })
    this.name = 'ApiError'
    this.status = status
    this.error = error
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
    this.missing = more.missing
    this.businesses = more.businesses
    this.credit = more.credit
  }
}

/** One wrong field of a request, by its name in the contract (`amount`, `metadata.orderId`). */
export interface FieldError {
  field: string
  message: string
}

/** The sender's shortfall, in whole units of the asset. */
export interface Missing {
  symbol: string
  missing: string
  required: string
  available: string
}

/** What becomes of a request without credit. */
export interface MissingCredit {
  /** It is kept, and goes on by itself when there is credit. */
  pending: boolean
  /** Where its status is. */
  statusUrl?: string
}

/** A business that the caller may choose. */
export interface BusinessChoice {
  id: string
  name: string
}

/** A 400 that names each wrong field and its error. */
export function invalidBody(...fields: FieldError[]): ApiError {
  return new ApiError(400, 'Invalid request body', fields.map((f) => `${f.field}: ${f.message}`).join('; '), {
    fields,
  })
}

/** The same for path and query. */
export const invalidParameters = (...fields: FieldError[]): ApiError =>
  new ApiError(400, 'Invalid request parameters', fields.map((f) => `${f.field}: ${f.message}`).join('; '), {
    fields,
  })

/**
 * A caller's field name as the answer repeats it. People paste keys into wrong places, and no field of the
 * API is longer than 40 characters.
 */
export const shownField = (name: string): string =>
  /^[\w$-]{1,40}$/.test(name) ? name : 'a field with a long or odd name'

export const notFound = (what: string) => new ApiError(404, 'Not found', `${what} not found`)

/** The text of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
