import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { certificateRefusal } from '../certificateRefusal.ts'
import { BaseError } from '../errors.ts'

/** Of libpq; `pg` treats these alike, and a weaker check would be a false promise. */
const checkedModes = ['prefer', 'require', 'verify-ca', 'verify-full']

/**
 * The address for `pg`, with what a TLS connection checks: the authority, and the host name, which `pg` adds.
 * The mode is no part of the address any more: Sequelize ignores it.
 */
export function postgresAddress(url: string): { connectionString: string; ssl?: ConnectionOptions } {
  const address = new URL(url)
  const given = (name: string) => address.searchParams.get(name)
  // With `sslrootcert=system` libpq checks every connection.
  const isOfSystem = given('sslrootcert') === 'system'
  const mode = given('sslmode') ?? (isOfSystem ? 'verify-full' : null)
  if (mode === null || !checkedModes.includes(mode) || given('uselibpqcompat') !== null)
    return { connectionString: url }
  const files = { ca: isOfSystem ? null : given('sslrootcert'), cert: given('sslcert'), key: given('sslkey') }
  // `ssl` would replace what is checked.
  for (const name of ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']) address.searchParams.delete(name)
  address.search = address.search.replaceAll('+', '%20')
  return {
    connectionString: address.href,
    ssl: {
      ...Object.fromEntries(
        Object.entries(files).flatMap(([name, file]) => (file ? [[name, readFileSync(file, 'utf8')]] : [])),
      ),
    },
  }
}

/** TLS to Postgres failed. The message says why, and what to do. */
export class TlsRefusedError extends BaseError {
  readonly code = 'database_tls_refused'
  readonly retry = 'yes'
  /** Of Node or OpenSSL. */
  readonly tlsCode: string
  constructor(message: string, tlsCode: string, cause: unknown) {
    super(message, { cause })
    this.tlsCode = tlsCode
  }
}

/** @returns TlsRefusedError in place of a failure of TLS; any other failure as it is */
export function explained(error: unknown, url: string): unknown {
  // Sequelize wraps what `pg` throws.
  const original = (error as { parent?: unknown } | null)?.parent ?? error
  const { code, message } = (original ?? {}) as { code?: unknown; message?: unknown }
  const { host, hostname } = new URL(url)
  if (message === 'The server does not support SSL connections')
    return new TlsRefusedError(
      `Postgres at ${host} offers no TLS, which DATABASE_CA_FILE or sslmode requires: turn it on there (ssl = on)`,
      'ERR_TLS_MISSING',
      error,
    )
  if (typeof code !== 'string') return error
  const refusal = certificateRefusal(code, hostname, 'DATABASE_CA_FILE')
  if (refusal)
    return new TlsRefusedError(
      `The certificate of Postgres at ${host} ${refusal.what}: ${refusal.cure}`,
      code,
      error,
    )
  return /^ERR_(TLS_|SSL_|OSSL)/.test(code)
    ? new TlsRefusedError(`TLS to Postgres at ${host} failed (${code}): ${message}`, code, error)
    : error
}
