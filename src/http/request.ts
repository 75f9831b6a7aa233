import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Caller } from '../accounts/caller.ts'
import type { Queryable } from '../platform/db.ts'
import type { QuoteSource } from '../platform/quoteSource.ts'

/** A request that the contract has let in. */
export interface ApiRequest<Body = unknown, Query = unknown, Params = Record<string, string>> {
  body: Body
  query: Query
  /** Of the path. */
  params: Params
  caller: Caller
  /**
   * Stores the audit entry, and the answer for the request's `Idempotency-Key` if it has one, in the transaction of the effect. What a route does not
   * store itself is stored when it answers.
   */
  remember(db: Queryable, answer: Answer, change?: { before?: object; after?: object }, short?: ShortAnswer): Promise<void>
  /** Called by a long bulk call as it progresses, with the rows done since the last call. */
  goesOn(rows: number): Promise<void>
  /**
   * The request begins to wait for something that may take as long as its caller likes: it no longer counts as work under way.
   */
  waits(): Waiting
  /** For sign-in (cookies and the client's program), for streams and for signatures. */
  headers: IncomingHttpHeaders
  /** The body's bytes as they came, for an operation with `x-raw-body`. @throws Error for any other */
  rawBody(): Buffer
  /** The body as it arrives, for an operation with `x-upload`. @throws Error for any other */
  upload(): Upload
}

/** A body that is not read before its handler runs. */
export interface Upload {
  headers: IncomingHttpHeaders
  body: Readable
  /** Aborted when this unfinished body has to give way to others. */
  signal: AbortSignal
  /** Lets a client that waits for `100 Continue` send its body. */
  begin(): void
}

export interface Answer {
  status: number
  body: object
  cookies?: string[]
  /** Server-Sent Events, in place of the body; or the file of `file`. */
  stream?: AsyncGenerator<StreamPiece, void, undefined>
  file?: StreamedFile
  /** What a WebSocket sends, with the status 101 and in place of the body. */
  quotes?: QuoteSource
}

/** A file that is made while it is sent. If it cannot be finished, its connection is broken, so that no part is taken for the whole. */
export interface StreamedFile {
  /** Its media type. */
  type: string
  name: string
}

/** A request that waits. */
interface Waiting {
  /** Aborted when the caller has gone or the process stops. */
  signal: AbortSignal
  /** Checks again that the caller has the right that admitted the request. @throws ApiError */
  confirm(): Promise<void>
}

/** A piece of a stream. The next one is made when the caller has taken it. */
export interface StreamPiece {
  /** The same as an answer of the operation, which keeps to the contract; undefined for bytes. */
  body: object | undefined
  text: string | Uint8Array
}

/** Kinds of answers that are stored as ids, or without what is sealed or secret. */
export type ShortKind = 'monitored_addresses' | 'payout_destination' | 'payout' | 'refund'

/** The stored form of a large answer: ids, from which `restoreAnswer` rebuilds it. */
interface ShortAnswer {
  kind: ShortKind
  body: object
}
