import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../accounts/caller.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { StreamPiece, Upload } from '../platform/http/bodies.ts'
import type { QuoteSource } from '../platform/quoteSource.ts'

/** A request that the contract has let in. */
export interface ApiRequest<Body = unknown, Query = unknown, Params = Record<string, string>> {
  body: Body
  query: Query
  /** Of the path. */
  params: Params
  caller: Caller
  /**
   * Stores the audit entry, and the answer for the request's `Idempotency-Key` if it has one, in the
   * transaction of the effect. What a route does not store itself is stored when it answers.
   */
  remember(
    db: Queryable,
    answer: Answer,
    change?: { before?: object; after?: object },
    short?: ShortAnswer,
  ): Promise<void>
  /** Called by a long bulk call as it progresses, with the rows done since the last call. */
  goesOn(rows: number): Promise<void>
  /**
   * The request starts to wait for something that may take as long as its caller likes: it no longer counts
   * as work under way.
   */
  waits(): Waiting
  /** What the caller accepts best of what the operation has. */
  form: AnswerForm
  /** For sign-in (cookies and the client's program), for streams and for signatures. */
  headers: IncomingHttpHeaders
  /** The body's bytes as they came, for an operation with `x-raw-body`. @throws Error for any other */
  rawBody(): Buffer
  /** The body as it arrives, for an operation with `x-upload`. @throws Error for any other */
  upload(): Upload
}

/** A file in place of JSON, where the contract of the operation has its media type. */
export type AnswerForm = 'json' | 'csv' | 'pdf'

export interface Answer {
  status: number
  body: object
  cookies?: string[]
  /** Server-Sent Events, in place of the body; or the file of `file`. */
  stream?: AsyncGenerator<StreamPiece, void, undefined>
  file?: StreamedFile
  /** The same as CSV, for an operation that has it and is no list: of lists, columns come from the contract. */
  csv?(): string
  /** What a WebSocket sends, with the status 101 and in place of the body. */
  quotes?: QuoteSource
}

/**
 * A file that is made while it is sent. If it cannot be finished, its connection is broken, so that no part
 * is taken for the whole.
 */
export interface StreamedFile {
  /** Its media type. */
  type: string
  name: string
  /** What its bytes start with. */
  head?: string
}

/** A request that waits. */
interface Waiting {
  /** Aborted when the caller has gone or the process stops. */
  signal: AbortSignal
  /** Checks again that the caller has the right that admitted the request. @throws ApiError */
  confirm(): Promise<void>
}

/** Kinds of answers that are stored as ids, or without what is sealed or secret. */
export type ShortKind = 'monitored_addresses' | 'payout_destination' | 'payout' | 'refund'

/** The stored form of a large answer: ids, from which `restoreAnswer` rebuilds it. */
interface ShortAnswer {
  kind: ShortKind
  body: object
}
