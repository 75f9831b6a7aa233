/**
 * A failure the caller may see. `error` is stable and documented; `message` is for people. What the
 * operator needs besides goes into `cause` and is only logged.
 */
export class ApiError extends Error {
  readonly status: number
  readonly error: string
  readonly fields: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(status: number, error: string, message?: string, more: { fields?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message ?? error, { cause: more.cause })
    this.name = 'ApiError'
    this.status = status
    this.error = error
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** One wrong field of a request, in the words of the contract (`amount`, `metadata.orderId`). */
export interface FieldError {
  field: string
  message: string
}

/** A 400 that names each field and says what is wrong with it. */
export function invalidBody(...fields: FieldError[]): ApiError {
  return new ApiError(400, 'Invalid request body', fields.map((f) => `${f.field}: ${f.message}`).join('; '), { fields })
}

export const notFound = (what: string) => new ApiError(404, 'Not found', `${what} not found`)

/** The text of any thrown thing. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
