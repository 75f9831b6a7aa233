const form = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/**
 * Whether a text is a moment as RFC 3339 writes it, and one that there is: a day of its month, and no leap second, which neither our clocks
 * nor Postgres know.
 */
export function isInstant(text: string): boolean {
  const day = form.exec(text)?.[1]
  if (day === undefined) return false
  const midnight = new Date(`${day}T00:00:00Z`)
  // The thirtieth of February would be the second of March.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}
