const form = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/**
 * True if a text is an RFC 3339 instant that exists: a real day of its month, and no leap second, which
 * neither our clocks nor Postgres support.
 */
export function isInstant(text: string): boolean {
  const day = form.exec(text)?.[1]
  if (day === undefined) return false
  const midnight = new Date(`${day}T00:00:00Z`)
  // 30 February would become 2 March.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}
