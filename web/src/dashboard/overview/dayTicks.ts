/** Every so many days, so that at most `count` are named; the last one always is. */
export function dayTicks(dates: readonly string[], count: number): string[] {
  const each = Math.ceil(dates.length / Math.max(1, count))
  return dates.filter((_, index) => (dates.length - 1 - index) % each === 0)
}
