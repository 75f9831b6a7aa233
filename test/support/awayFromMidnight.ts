import { setTimeout as delay } from 'node:timers/promises'

const [hour, day] = [3_600_000, 86_400_000]

/**
 * For a suite that takes "today", or a month or week, once and reads it later: rarely waits, until the next
 * day has begun.
 * @param withinMs of the next midnight; longer than the suite takes
 * @param hoursAhead of UTC, of the zone whose midnight it is
 */
export async function awayFromMidnight({ withinMs = 180_000, hoursAhead = 0 } = {}): Promise<void> {
  const wait = untilAway(Date.now(), withinMs, hoursAhead)
  if (wait > 0) await delay(wait)
}

/** @returns milliseconds until a second of the next day, or 0 where that day is further away */
export function untilAway(now: number, withinMs: number, hoursAhead: number): number {
  const untilMidnight = day - ((now + hoursAhead * hour) % day)
  return untilMidnight <= withinMs ? untilMidnight + 1000 : 0
}
