import type { ApiRequest } from './send.ts'
import type { CallOptions } from './types.ts'

/** An operation in the contract's table. */
export interface OperationRow {
  method: string
  path: string
  /** A POST that takes `Idempotency-Key`. */
  idempotent?: boolean
  /** Its path is outside /api/v1. */
  root?: boolean
}

/**
 * The parts of a request that are equal in all attempts.
 * @throws TypeError naming the argument that is missing or cannot be sent
 */
export function buildRequest(
  operation: string,
  row: OperationRow | undefined,
  baseUrl: string,
  options: CallOptions,
  credentials: () => Promise<Record<string, string | undefined>>,
): ApiRequest {
  if (!row) throw new TypeError(`there is no operation ${operation}`)
  if (options.idempotencyKey !== undefined && !row.idempotent)
    throw new TypeError(`${operation} takes no idempotency key`)
  const body = options.body === undefined ? undefined : JSON.stringify(options.body)
  const fixed = {
    accept: 'application/json',
    'content-type': body === undefined ? undefined : 'application/json',
    'idempotency-key': row.idempotent ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined,
  }
  return {
    operation,
    method: row.method,
    url: `${baseUrl}${fillPath(operation, row.path, options.path ?? {})}${queryString(options.query ?? {})}`,
    body,
    safe: row.method === 'GET' || row.idempotent === true,
    headers: async () => headersOf({ ...fixed, ...(await credentials()) }),
  }
}

/** @throws TypeError if a parameter is missing, or is a segment that URLs resolve away */
export function fillPath(operation: string, path: string, parameters: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${operation} needs the path parameter ${name}`)
    // Encoded or not, these would change the path to another operation's.
    if (value === '.' || value === '..')
      throw new TypeError(`${operation}: the path parameter ${name} cannot be ${value}`)
    return encodeURIComponent(value)
  })
}

type Value = string | number | boolean

/** Several values of one parameter are repeated. */
function queryString(query: Record<string, Value | readonly Value[] | undefined>): string {
  const given = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of Array.isArray(values) ? values : [values])
      if (value !== undefined) given.append(name, String(value))
  return given.size > 0 ? `?${given}` : ''
}

/** @throws TypeError naming the header without its value, which may be a secret */
function headersOf(values: Record<string, string | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    try {
      headers.set(name, value)
    } catch {
      throw new TypeError(`${name}: the value has characters that a header cannot carry`)
    }
  }
  return headers
}
