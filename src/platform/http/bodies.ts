import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** A body that is not read before its handler runs. */
export interface Upload {
  headers: IncomingHttpHeaders
  body: Readable
  /** Aborted when this unfinished body has to give way to others. */
  signal: AbortSignal
  /** Lets a client that waits for `100 Continue` send its body. */
  begin(): void
}

/** A piece of a stream. The next one is made when the caller has taken it. */
export interface StreamPiece {
  /** The same as an answer of the operation, which keeps to the contract; undefined for bytes. */
  body: object | undefined
  text: string | Uint8Array
}
