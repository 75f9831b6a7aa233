/** Times of a list, by the calendar of the business. */
export const periods = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  month: 'This month',
} as const
export type Period = keyof typeof periods

export const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text)

/** The start and the end of a period as ISO times. @param timeZone of IANA, such as `Africa/Lagos` */
export function periodTimes(period: Period, now: Date, timeZone: string): { since: string; until?: string } {
  const { year, month, day } = dateIn(now, timeZone)
  const midnight = (date: number, ofMonth = month) =>
    midnightOf(Date.UTC(year, ofMonth - 1, date), timeZone).toISOString()
  switch (period) {
    case 'today':
      return { since: midnight(day) }
    case 'yesterday':
      return { since: midnight(day - 1), until: midnight(day) }
    case 'week':
      return { since: midnight(day - 6) }
    case 'month':
      return { since: midnight(1) }
  }
}

function dateIn(at: Date, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  })
  const [year = 0, month = 0, day = 0] = format.format(at).split('-').map(Number)
  return { year, month, day }
}

/** The first moment of a day. @param day its midnight in UTC */
function midnightOf(day: number, timeZone: string): Date {
  // Twice: the offset at the first guess may be that of the other side of a change of the clocks.
  const guess = day - offsetAt(new Date(day), timeZone)
  return new Date(day - offsetAt(new Date(guess), timeZone))
}

/** What a zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(at.getTime() / 1000) * 1000
}
