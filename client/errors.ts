/** One wrong field of a request, in the words of the contract. */
export interface FieldError {
  field: string
  message: string
}

export interface ErrorDetails {
  /** Of the HTTP answer; 0 where there was none. */
  status: number
  /** `error` of the body: stable, for programs to compare. `http_<status>` where the body has none. */
  code: string
  /** For people. */
  message: string
  requestId?: string | undefined
  fields?: FieldError[] | undefined
  retryAfterSeconds?: number | undefined
}

/** What every failed call throws. It never holds a credential or the request's body. */
export class CowryError extends Error {
  readonly status: number
  readonly code: string
  /** What support asks for; undefined where there was no answer. */
  readonly requestId: string | undefined
  readonly fields: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(details: ErrorDetails) {
    super(details.message)
    this.name = 'CowryError'
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** 400. */
export class ValidationError extends CowryError {
  override readonly name = 'ValidationError'
  /** Empty where the answer names no field. */
  override readonly fields: FieldError[]
  constructor(details: ErrorDetails) {
    super(details)
    this.fields = details.fields ?? []
  }
}

/** 401: no credential, or one that is unknown, revoked or expired. */
export class AuthenticationError extends CowryError {
  override readonly name = 'AuthenticationError'
}

/** 402. */
export class InsufficientCreditError extends CowryError {
  override readonly name = 'InsufficientCreditError'
  /** The work is kept and goes on once there is credit: do not send it again, ask `statusUrl`. */
  readonly pending: boolean
  readonly statusUrl: string | undefined
  constructor(details: ErrorDetails & { pending: boolean; statusUrl: string | undefined }) {
    super(details)
    this.pending = details.pending
    this.statusUrl = details.statusUrl
  }
}

/** 403: the credential may not do this. */
export class PermissionError extends CowryError {
  override readonly name = 'PermissionError'
}

/** 404: not there, or not yours. */
export class NotFoundError extends CowryError {
  override readonly name = 'NotFoundError'
}

/** 409 `request_in_progress`: the same request is still running. 422 `idempotency_key_reused`: the key was used for another one. */
export class IdempotencyConflictError extends CowryError {
  override readonly name = 'IdempotencyConflictError'
}

/** 429. */
export class RateLimitError extends CowryError {
  override readonly name = 'RateLimitError'
}

export type ConnectionFailure = 'not_connected' | 'no_answer' | 'timeout'

/**
 * No whole answer came. `not_connected`: the request was never sent. `no_answer` and `timeout`: it may have been carried out.
 * Browsers do not tell the first from the second, so there it is always one of the latter.
 */
export class ConnectionError extends CowryError {
  override readonly name = 'ConnectionError'
  declare readonly code: ConnectionFailure
  constructor(code: ConnectionFailure, message: string) {
    super({ status: 0, code, message })
  }
}
