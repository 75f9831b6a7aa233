import { invalidParameters } from '../../src/platform/errors.ts'
import { isUuid } from '../../src/platform/ids.ts'
import type { Operation } from '../contract.ts'

// A cursor names its list: the id of a row of another list would be a place in this one, and pages would be
// wrong in silence. Handlers know only the cursor of `pages.ts`.

/** The same list in the API and in the dashboard. */
const listOf = ({ operationId }: Operation): string => operationId.replace(/OfBusiness$/, '')

/** The `nextCursor` of a list's answer, as its caller gets it. */
export function withListCursor<B extends object>(operation: Operation, body: B): B {
  const { nextCursor } = body as { nextCursor?: unknown }
  if (typeof nextCursor !== 'string') return body
  return {
    ...body,
    nextCursor: Buffer.from(`${listOf(operation)}:${idOf(nextCursor)}`).toString('base64url'),
  }
}

/**
 * The query for the handler. A cursor of a version before names no list, and is taken.
 * @throws ApiError 400 naming `cursor`
 */
export function withoutListCursor(operation: Operation, query: unknown): unknown {
  const { cursor } = (query ?? {}) as { cursor?: unknown }
  if (typeof cursor !== 'string') return query
  const [list = '', id = '', ...more] = idOf(cursor).split(':')
  if (id === '' && isUuid(list)) return query
  if (list !== listOf(operation) || more.length > 0 || !isUuid(id))
    throw invalidParameters({
      field: 'cursor',
      message: 'is not a value of nextCursor of this list',
      code: 'invalid_cursor',
    })
  return { ...(query as object), cursor: Buffer.from(id).toString('base64url') }
}

const idOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString()
