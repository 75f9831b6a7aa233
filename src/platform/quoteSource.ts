/** Where the quotes of a stream come from. */
export interface QuoteSource {
  /**
   * Streams with the same key share each answer. It names the business unless the quotes are the same for
   * all.
   */
  key: string
  /**
   * @throws ApiError: 400, 401, 403 and 404 end the streams; others are sent, and the next request may
   * succeed
   */
  request(readers: Readers): Promise<StreamedQuote>
}

/** The streams that share a source. */
export interface Readers {
  /** Aborted when the last of them has ended. */
  signal: AbortSignal
  /** Those that they belong to now. */
  businesses(): Iterable<string>
}

export interface StreamedQuote {
  /** Equal for quotes of which a caller needs only the first. */
  version: string
  /** Milliseconds since 1970: from then on an equal quote is sent again. Infinity: never. */
  renewAt: number
  present(): object
}
