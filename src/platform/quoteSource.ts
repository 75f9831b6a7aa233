/** Where the quotes of a stream come from. */
export interface QuoteSource {
  /** Streams with the same key share each answer. It names the business unless the quotes are the same for all. */
  key: string
  /**
   * @param signal aborted when the last stream has ended
   * @throws ApiError: 400, 401, 403 and 404 end the streams; others are sent, and the next request may succeed
   */
  request(signal: AbortSignal): Promise<StreamedQuote>
}

export interface StreamedQuote {
  /** Equal for quotes of which a caller needs only the first. */
  version: string
  /** Milliseconds since 1970: from then on an equal quote is sent again. Infinity: never. */
  renewAt: number
  present(): object
}
