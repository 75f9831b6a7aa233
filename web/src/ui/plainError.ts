import { ConnectionError, CowryError, RateLimitError } from '../../../client/index.ts'

export interface PlainError {
  message: string
  /** For those who ask for help. */
  requestId: string | undefined
  /** Nothing that was typed is at fault. */
  ours: boolean
}

/** Thrown by a page for what a person can do something about: its message is a whole sentence for them. */
export class PlainProblem extends Error {
  override readonly name = 'PlainProblem'
}

/** What a person is told of a failure. */
export function plainError(error: unknown): PlainError {
  if (error instanceof PlainProblem) return { message: error.message, requestId: undefined, ours: false }
  if (error instanceof ConnectionError)
    return { message: 'Cowry cannot be reached. Check your connection, then try again.', requestId: undefined, ours: true }
  if (!(error instanceof CowryError)) return { message: 'Something went wrong on this page. Load it again.', requestId: undefined, ours: true }
  const message = asSentence(error.message || error.code)
  const wait = error instanceof RateLimitError ? error.retryAfterSeconds : undefined
  return {
    message: wait ? `${message} You can try again in ${inWords(wait)}.` : message,
    requestId: error.requestId || undefined,
    ours: error.status >= 500,
  }
}

/** The API writes of fields as `must be …`; at the field it is a sentence. */
export function asSentence(text: string): string {
  const words = text.trim()
  if (!words) return 'This is not right.'
  const begun = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

function inWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
