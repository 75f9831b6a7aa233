import type { FieldCode } from './fieldCodes.ts'
import { scrub } from './secrets.ts'

/**
 * Whether the same request may be sent again after an error. `unknown`: it may have been carried out, and only
 * its outcome, once known, decides that.
 */
export type Retry = 'yes' | 'no' | 'unknown'

/** The public text of an error whose own text is for the operator alone. */
export const internalFailure = 'Something went wrong on our side; send us the request id'

export interface ErrorDetails {
  /** Default: `internalFailure`. */
  publicText?: string
  cause?: unknown
}

/**
 * The base of each error class. It has two texts. `message` is internal, for logs and operators: it may quote
 * nodes, partners and Postgres. `publicText` may reach a caller: it holds no secret and no text of others.
 */
export abstract class BaseError extends Error {
  /** Stable, and of this class alone (docs/error-classes.md). */
  abstract readonly code: string
  abstract readonly retry: Retry
  readonly publicText: string

  constructor(message: string, { publicText, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.publicText = publicText === undefined ? internalFailure : scrub(publicText)
  }
}

/**
 * An error as the API answers it. `error` is stable and documented (docs/errors.md); the public text is for
 * people. What only the operator may see is `internalText` and `cause`.
 */
export class ApiError extends BaseError {
  /** As `error`. */
  readonly code: string
  readonly retry: Retry
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
      /** Default: the public text. */
      internalText?: string
      cause?: unknown
    } = {},
  ) {
    const publicText = message ?? error
    super(more.internalText ?? publicText, { publicText, cause: more.cause })
    this.code = error
    this.retry = retryOf(status, error)
    this.status = status
    this.error = error
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
    this.missing = more.missing
    this.businesses = more.businesses
    this.credit = more.credit
  }
}

/** As docs/errors.md says it to callers. A 500 may have had its effect. */
function retryOf(status: number, error: string): Retry {
  // Until the operator makes a contract with a partner.
  if (error === 'partner_not_configured') return 'no'
  if (status === 500) return 'unknown'
  return status >= 502 || status === 429 || error === 'request_in_progress' ? 'yes' : 'no'
}

/** One wrong field of a request, by its name in the contract (`amount`, `metadata.orderId`). */
export interface FieldError {
  field: string
  message: string
  /**
   * Of `fieldCodes`, or the `error` of a refusal that is one of many; default: `error`, where that names the
   * mistake, else `invalid`.
   */
  code?: FieldCode | RefusalCode
}

declare const ofRefusal: unique symbol
/** The `error` of a refusal. */
export type RefusalCode = string & { [ofRefusal]: true }

/** The `error` of a refusal as the code of a mistake. */
export const refusalCode = (error: string): RefusalCode => error as RefusalCode

/** A wrong field of a request that is refused with 400: its code says what is wrong. */
export interface FieldMistake extends FieldError {
  code: FieldCode | RefusalCode
}

/** A wrong field as it is answered. */
export interface CodedField {
  field: string
  message: string
  /** Of `fieldCodes`, or the answer's `error`. */
  code: string
}

/** The fields of an error, each with its code. */
export const codedFields = ({ error, fields = [] }: ApiError): CodedField[] =>
  fields.map(({ field, message, code }) => ({
    field,
    message,
    code: code ?? (/^[a-z0-9_]+$/.test(error) ? error : 'invalid'),
  }))

/** The mistakes of an error, for one that names them otherwise. */
export const fieldMistakes = ({ fields = [] }: ApiError): FieldMistake[] =>
  fields.map((each) => ({ ...each, code: each.code ?? 'invalid' }))

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
export function invalidBody(...fields: FieldMistake[]): ApiError {
  return new ApiError(400, 'Invalid request body', textOf(fields), { fields })
}

/** The same for path and query. */
export const invalidParameters = (...fields: FieldMistake[]): ApiError =>
  new ApiError(400, 'Invalid request parameters', textOf(fields), { fields })

/** A refusal with one field: its code is also the answer's `error`. */
export const refusedField = (code: FieldCode, field: string, message: string): ApiError =>
  new ApiError(400, code, textOf([{ field, message }]), { fields: [{ field, message, code }] })

/** As many wrong fields as an answer names: more would not help, and each costs bytes. */
export const maxFields = 50

/** The first wrong fields of a list, and a sentence that also has the number of the others. */
export function firstFields<F extends FieldError>(all: readonly F[]): { fields: F[]; text: string } {
  const fields = all.slice(0, maxFields)
  const more = all.length - fields.length
  return { fields, text: `${textOf(fields)}${more > 0 ? `; and ${more} more` : ''}` }
}

/** Every wrong field in one sentence. */
export const textOf = (fields: readonly FieldError[]): string =>
  fields.map(({ field, message }) => `${field}: ${message}`).join('; ')

/**
 * A caller's field name as the answer repeats it. People paste keys into wrong places, and no field of the
 * API is longer than 40 characters.
 */
export const shownField = (name: string): string =>
  /^[\w$-]{1,40}$/.test(name) ? name : 'a field with a long or odd name'

export const notFound = (what: string) => new ApiError(404, 'Not found', `${what} not found`)

/** The result of some work, or its error of this class, where the caller decides on both; other errors are thrown. */
export async function resultOr<E extends BaseError, T>(
  kind: abstract new (...given: never[]) => E,
  work: Promise<T>,
): Promise<T | E> {
  try {
    return await work
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
}

/** The internal text of any thrown value, for logs, commands and rows that no caller reads. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The text of any thrown value that a caller may read. */
export const publicTextOf = (error: unknown): string =>
  error instanceof BaseError ? error.publicText : internalFailure
