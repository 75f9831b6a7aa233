/** A wrong field of the request, as the contract names it. */
export interface FieldError {
  field: string
  message: string
  /** The same for the same mistake everywhere (docs/mistakes.md); more are added in later versions. */
  code?: string
}

export interface ErrorDetails {
  /** Of the HTTP answer; 0 without an answer. */
  status: number
  /** The body's `error`: stable, for programs to compare. `http_<status>` if the body has no code. */
  code: string
  /** For people. */
  message: string
  requestId?: string | undefined
  fields?: FieldError[] | undefined
  retryAfterSeconds?: number | undefined
}

/** Every failed call throws it. It never holds a credential or the request's body. */
export class CowryError extends Error {
  readonly status: number
  readonly code: string
  /** For support; undefined without an answer. */
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
  /** Empty if the answer names no field. */
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
  /** The work is kept and resumes once there is credit: do not send it again, poll `statusUrl`. */
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

/** 404: not found, or of another business. */
export class NotFoundError extends CowryError {
  override readonly name = 'NotFoundError'
}

/**
 * 409 `request_in_progress`: the same request is still running. 422 `idempotency_key_reused`: the key was
 * used for another one.
 */
export class IdempotencyConflictError extends CowryError {
  override readonly name = 'IdempotencyConflictError'
}

/** 429. */
export class RateLimitError extends CowryError {
  override readonly name = 'RateLimitError'
}

export type ConnectionFailure = 'not_connected' | 'no_answer' | 'timeout'

/**
 * No complete answer. `not_connected`: the request was never sent. `no_answer` and `timeout`: the server may
 * have executed it. Browsers cannot distinguish the first from the second, so there it is always one of the
 * latter.
 */
export class ConnectionError extends CowryError {
  override readonly name = 'ConnectionError'
  declare readonly code: ConnectionFailure
  constructor(code: ConnectionFailure, message: string) {
    super({ status: 0, code, message })
  }
}
