import { ConnectionError, CowryError, RateLimitError } from '../../../client/index.ts'

export interface PlainError {
  message: string
  /** For support. */
  requestId: string | undefined
  /** Not caused by the input. */
  ours: boolean
}

/** Thrown for a problem that a person can solve: its message is a whole sentence for them. */
export class PlainProblem extends Error {
  override readonly name = 'PlainProblem'
}

/** A failure as shown to a person. */
export function plainError(error: unknown): PlainError {
  if (error instanceof PlainProblem) return { message: error.message, requestId: undefined, ours: false }
  if (error instanceof ConnectionError)
    return {
      message: 'Cowry cannot be reached. Check your connection, then try again.',
      requestId: undefined,
      ours: true,
    }
  if (!(error instanceof CowryError))
    return { message: 'Something went wrong on this page. Load it again.', requestId: undefined, ours: true }
  const message = asSentence(error.message || error.code)
  const wait = error instanceof RateLimitError ? error.retryAfterSeconds : undefined
  return {
    message: wait ? `${message} You can try again in ${inWords(wait)}.` : message,
    requestId: error.requestId || undefined,
    ours: error.status >= 500,
  }
}

/** Turns the API's `must be …` into a sentence for the field. */
export function asSentence(text: string): string {
  const words = text.trim()
  if (!words) return 'This value is not valid.'
  const begun = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
