import { expect, test } from '@jest/globals'
import type { Operation } from '../contract.ts'
import { withListCursor, withoutListCursor } from './cursorOfList.ts'

const id = '0192f3a0-0000-7000-8000-000000000001'
const of = (operationId: string) => ({ operationId }) as Operation
const inner = Buffer.from(id).toString('base64url')
const cursor = withListCursor(of('listSessions'), { rows: [], nextCursor: inner }).nextCursor

test('the cursor of a list is taken by that list, in the API and in the dashboard', () => {
  expect(cursor).not.toBe(inner)
  expect(cursor.length).toBeLessThanOrEqual(200)
  for (const name of ['listSessions', 'listSessionsOfBusiness'])
    expect(withoutListCursor(of(name), { cursor, limit: 5 })).toEqual({ cursor: inner, limit: 5 })
})

test.each([
  ['of another list', cursor],
  ['that is no cursor', Buffer.from('listPayouts:7').toString('base64url')],
  ['with more after it', Buffer.from(`listPayouts:${id}:x`).toString('base64url')],
  ['that is any text', 'abc'],
])('a cursor %s is refused', (_what, given) => {
  expect(() => withoutListCursor(of('listPayouts'), { cursor: given })).toThrow(
    /^cursor: is not a value of nextCursor/,
  )
})

test('a cursor of a version before, a query without one and a last page stay as they are', () => {
  expect(withoutListCursor(of('listPayouts'), { cursor: inner })).toEqual({ cursor: inner })
  expect(withoutListCursor(of('listPayouts'), { page: 2 })).toEqual({ page: 2 })
  expect(withListCursor(of('listPayouts'), { rows: [], nextCursor: null })).toEqual({
    rows: [],
    nextCursor: null,
  })
})
