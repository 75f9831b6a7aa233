import type { Arrival } from '../support/receivers/main.ts'
import type { KnownEvent } from './manyEndpoints.ts'

// Figures from a receiver's record of arrivals.

/**
 * When a caller ends an attempt, the receiver notices up to this much later, and the next one may arrive in
 * between. Attempts that are measured with this tolerance last for seconds.
 */
const noticeMs = 50

const endOf = ({ end, at }: Arrival): number =>
  end === null ? Number.POSITIVE_INFINITY : Math.max(at, end - noticeMs)

/** Maximum of arrivals in flight at once. */
export function maxAtOnce(arrivals: readonly Arrival[]): number {
  const changes = arrivals.flatMap((each) => [
    { at: each.at, by: 1 },
    { at: endOf(each), by: -1 },
  ])
  changes.sort((a, b) => a.at - b.at || a.by - b.by)
  let now = 0
  let max = 0
  for (const { by } of changes) {
    now += by
    max = Math.max(max, now)
  }
  return max
}

/** For each arrival from `from` on, counts the others then in flight; returns the maximum. */
export const maxOthersInFlight = (arrivals: readonly Arrival[], from: number): number =>
  Math.max(
    0,
    ...arrivals
      .filter(({ at }) => at >= from)
      .map((each) => arrivals.filter((o) => o !== each && o.at <= each.at && endOf(o) > each.at).length),
  )

/** Milliseconds from the commit of each event to its first arrival at each receiver, in ascending order. */
export function waits(events: readonly KnownEvent[], arrivals: readonly Arrival[]): number[] {
  const recordedAt = new Map(events.map(({ n, at }) => [n, at]))
  const first = new Map<string, number>()
  for (const { to, n, at } of arrivals) {
    const key = `${to} ${n}`
    if (recordedAt.has(n)) first.set(key, Math.min(first.get(key) ?? at, at))
  }
  return [...first]
    .map(([key, at]) => at - (recordedAt.get(Number(key.split(' ')[1])) ?? at))
    .sort((a, b) => a - b)
}

/** The value that a share of the values does not exceed. @param sorted in ascending order */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? 0

export const spreadOf = (sorted: readonly number[]): string =>
  [0.5, 0.99, 1]
    .map((share) => `${share === 1 ? 'max' : `p${share * 100}`} ${quantile(sorted, share)} ms`)
    .join(', ')

export const accepted = ({ status, id }: Arrival): boolean => status === 204 && id !== null

/** Longer than any gap between arrivals while deliveries are being made. */
const pauseMs = 300

/**
 * A clock that stops while no endpoint is served, such as while workers start. Maps a time of the record to
 * its reading.
 */
export function servingClock(arrivals: readonly Arrival[]): (at: number) => number {
  const times = arrivals.map(({ at }) => at).sort((a, b) => a - b)
  const shown = [0]
  for (const [i, at] of times.slice(1).entries())
    shown.push((shown[i] ?? 0) + Math.min(pauseMs, at - (times[i] ?? at)))
  return (at) => {
    let [from, to] = [0, times.length]
    while (to - from > 1) {
      const middle = (from + to) >> 1
      if ((times[middle] ?? 0) <= at) from = middle
      else to = middle
    }
    return (shown[from] ?? 0) + Math.max(0, Math.min(pauseMs, at - (times[from] ?? at)))
  }
}

/** The longest time on a clock without an arrival, while an event was due. */
export function longestSilence(
  expected: readonly KnownEvent[],
  arrivals: readonly Arrival[],
  clock: (at: number) => number,
): number {
  const acceptedAt = new Map<number, number>()
  for (const { n, end, at } of arrivals.filter(accepted))
    acceptedAt.set(n, Math.min(acceptedAt.get(n) ?? Number.POSITIVE_INFINITY, end ?? at))
  // +1: due from then on; -1: accepted; 0: an arrival.
  const moments = [
    ...expected.map(({ at }) => ({ at, by: 1 })),
    ...[...acceptedAt.values()].map((at) => ({ at, by: -1 })),
    ...arrivals.map(({ at }) => ({ at, by: 0 })),
  ].sort((a, b) => a.at - b.at)
  let due = 0
  let since = 0
  let longest = 0
  for (const { at, by } of moments) {
    if (due > 0) longest = Math.max(longest, clock(at) - clock(since))
    if (by <= 0 || due === 0) since = at
    due += by
  }
  return longest
}
