import type { Attempt } from './types.ts'

type Result = Pick<Attempt, 'responseStatus' | 'durationMs' | 'error'>

/** The result of an attempt, in a sentence or two. */
export function attemptText({ responseStatus, durationMs, error }: Result): string {
  const took = durationMs === null ? '' : ` after ${tookInWords(durationMs)}`
  if (responseStatus === null) return `No answer${took}${error ? `: ${ended(error)}` : '.'}`
  const answered = `Your server answered ${responseStatus}${took}.`
  // An attempt that failed by its status alone repeats it as its error.
  return error && error !== `status ${responseStatus}`
    ? `${answered} ${ended(error.charAt(0).toUpperCase() + error.slice(1))}`
    : answered
}

const tookInWords = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)
