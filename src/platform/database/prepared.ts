const names = new Map<string, string>()

/**
 * Marks a statement of a hot path: a connection without a pooler in between parses and plans it once, not at
 * each execution. The plan may come from a time when the tables were empty. So mark only what needs no choice
 * of a plan: inserts, calls of functions, rows by their primary key or by the one index that leads to few of
 * them, and tables that stay small.
 * @param text constant: each connection keeps every text that it has executed
 */
export function prepared(text: string): string {
  if (!names.has(text)) names.set(text, `cowry_${names.size + 1}`)
  return text
}

interface Client {
  query: unknown
}

/** Clients that send marked statements under a name. */
const prepares = new WeakSet<object>()

/** The name of a marked statement; undefined where it is sent without. */
export const nameOf = (client: object, text: string): string | undefined =>
  prepares.has(client) ? names.get(text) : undefined

/**
 * Sends marked statements under a name. @param connected leads to Postgres itself: behind a pooler the next
 * statement may reach another session
 */
export function usePrepared(connected: object): void {
  const client = connected as Client
  prepares.add(client)
  const query = (client.query as (...args: unknown[]) => unknown).bind(client)
  client.query = (...args: unknown[]) => {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' && Array.isArray(values) ? names.get(text) : undefined
    return name === undefined ? query(...args) : query({ name, text, values }, ...rest)
  }
}

/**
 * Errors after which a connection's names are useless: a type was changed by a migration
 * (`feature_not_supported`), or the session lost its names (`invalid_sql_statement_name`).
 */
export const hasStaleNames = ({ code, routine }: { code?: unknown; routine?: unknown }): boolean =>
  code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
