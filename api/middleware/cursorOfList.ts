import { createHash } from 'node:crypto'
import { invalidParameters } from '../../src/platform/errors.ts'
import { isUuid } from '../../src/platform/ids.ts'
import { isInstant } from '../../src/platform/instants.ts'
import type { Operation } from '../contract.ts'

// A cursor names its list, filter and order: the id of a row of another list would be a place in this one, and
// pages would be wrong in silence. Handlers know only the cursor of `pages.ts`.
//
// `<list>:<id>` in base64url, `=`, and the digest of filter and order. A version before ends reading at the `=`.

/** A list's request, as its validator left it. */
export interface ListRequest {
  query: unknown
  params?: Readonly<Record<string, string>>
}

/** The same list in the API and in the dashboard. */
const listOf = ({ operationId }: Operation): string => operationId.replace(/OfBusiness$/, '')

/** The `nextCursor` of a list's answer, as its caller gets it. */
export function withListCursor<B extends object>(operation: Operation, request: ListRequest, body: B): B {
  const { nextCursor } = body as { nextCursor?: unknown }
  if (typeof nextCursor !== 'string') return body
  const place = Buffer.from(`${listOf(operation)}:${textOf(nextCursor)}`).toString('base64url')
  return { ...body, nextCursor: `${place}=${digestOf(request)}` }
}

/**
 * The query for the handler. A cursor of a version before names no filter, or no list, and is taken.
 * @throws ApiError 400 naming `cursor`
 */
export function withoutListCursor(operation: Operation, request: ListRequest): unknown {
  const { cursor } = (request.query ?? {}) as { cursor?: unknown }
  if (typeof cursor !== 'string') return request.query
  const [place = '', digest, ...others] = cursor.split('=')
  const [list = '', id = '', ...more] = textOf(place).split(':')
  if (id === '' && isUuid(list) && digest === undefined) return request.query
  if (list !== listOf(operation) || more.length + others.length > 0 || !isUuid(id))
    throw invalidCursor('is not a value of nextCursor of this list')
  if (digest !== undefined && digest !== digestOf(request))
    throw invalidCursor(
      'belongs to another filter or sort: repeat the query of the page before, with its nextCursor',
    )
  return { ...(request.query as object), cursor: Buffer.from(id).toString('base64url') }
}

const invalidCursor = (message: string) =>
  invalidParameters({ field: 'cursor', message, code: 'invalid_cursor' })

const textOf = (base64: string): string => Buffer.from(base64, 'base64url').toString()

/** Of what decides which rows a list has, and in which order. */
function digestOf({ query, params = {} }: ListRequest): string {
  const { page: _, limit: __, cursor: ___, bom: ____, ...filter } = (query ?? {}) as Record<string, unknown>
  // The dashboard has the business in its path; programs by their credential.
  const { businessId: _____, ...of } = params
  const parts = Object.entries({ ...of, ...filter })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, normal(value)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 11)
}

/** One text for one meaning. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(String))].sort()
  const text = String(value)
  return isInstant(text) ? new Date(text).toISOString() : text
}
