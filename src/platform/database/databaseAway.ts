import { TlsRefused } from './databaseTls.ts'

/** A write where the transaction is read-only (PostgreSQL, appendix A): on a standby, or by order of the operator. */
export const readOnlyCode = '25006'

const networkErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** True if the database is unreachable, not to be trusted, too slow, shutting down or read-only: worth a retry. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause ?? (cause as { parent?: unknown }).parent, depth++) {
    // Starts refuse it. Of a running process: the server has another certificate, or none, for a while.
    if (cause instanceof TlsRefused) return true
    const code = (cause as { code?: unknown }).code
    // Class 08: connection; 57P: shutdown; 57014: cancelled by statement_timeout; 25P03: idle in a transaction; 53300:
    // no connection left; 25006: read-only (PostgreSQL, appendix A).
    if (typeof code === 'string' && (/^(08|57P)|^(57014|25P03|53300|25006)$/.test(code) || networkErrors.has(code))) return true
    if (
      /^Sequelize(Connection|HostNotFound|HostNotReachable)/.test(cause.name) ||
      /Connection terminated|connection error and is not queryable|Query read timeout|^timeout exceeded when trying to connect$/.test(cause.message)
    )
      return true
  }
  return false
}
