/** Answers that were requested this far apart are ordered by our clock alone, in milliseconds. */
export const ownClockAfterMs = 10 * 60_000

/** An answer of a partner about one payment or collection. */
export interface AnswerTime {
  /** The last change, by the partner's clock, which may be wrong. */
  updatedAt: Date
  /** When the request started, by our clock. */
  askedAt: Date
}

/** Clocks differ by less than this, in milliseconds. */
const maxAheadMs = ownClockAfterMs

/**
 * The time of a change, at most ten minutes after the request: one that is further ahead cannot be right.
 * This alone is not enough, because such a time still outdates an honest one.
 */
export function notAhead({ updatedAt, askedAt }: AnswerTime): Date {
  const latest = new Date(askedAt.getTime() + maxAheadMs)
  return updatedAt > latest ? latest : updatedAt
}

/**
 * True if an answer is newer than the known one. Answers may overtake each other, and a partner may answer
 * from an older copy, so the partner's time decides between answers that were requested within ten minutes.
 * Beyond that our own clock decides: a wrong time of the partner hides nothing for longer.
 */
export function isNewerAnswer(known: AnswerTime, answer: AnswerTime): boolean {
  const laterMs = answer.askedAt.getTime() - known.askedAt.getTime()
  if (Math.abs(laterMs) > ownClockAfterMs) return laterMs > 0
  const changedMs = notAhead(answer).getTime() - notAhead(known).getTime()
  if (changedMs !== 0) return changedMs > 0
  // Two answers of one page, from a clock that is ahead of our clock.
  return laterMs === 0 ? answer.updatedAt > known.updatedAt : laterMs > 0
}
