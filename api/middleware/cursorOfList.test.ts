import { expect, test } from '@jest/globals'
import type { Operation } from '../contract.ts'
import { withListCursor, withoutListCursor } from './cursorOfList.ts'

const id = '0192f3a0-0000-7000-8000-000000000001'
const of = (operationId: string) => ({ operationId }) as Operation
const inner = Buffer.from(id).toString('base64url')
const filter = { status: ['paid', 'expired'], since: '2026-11-28T00:00:00Z', sort: 'DESC' }
const cursorOf = (query: object, params: Record<string, string> = {}) =>
  withListCursor(of('listSessions'), { query, params }, { rows: [], nextCursor: inner }).nextCursor
const cursor = cursorOf({})
const read = (name: string, query: object, params: Record<string, string> = {}) =>
  withoutListCursor(of(name), { query, params })

test('the cursor of a list is taken by that list, in the API and in the dashboard', () => {
  expect(cursor).not.toBe(inner)
  expect(cursor.length).toBeLessThanOrEqual(200)
  expect(read('listSessions', { cursor, limit: 5 })).toEqual({ cursor: inner, limit: 5 })
  expect(read('listSessionsOfBusiness', { cursor, limit: 5 }, { businessId: 'x' })).toEqual({
    cursor: inner,
    limit: 5,
  })
})

test.each([
  ['of another list', cursor],
  ['that is no cursor', Buffer.from('listPayouts:7').toString('base64url')],
  ['with more after it', Buffer.from(`listPayouts:${id}:x`).toString('base64url')],
  ['that is any text', 'abc'],
])('a cursor %s is refused', (_what, given) => {
  expect(() => read('listPayouts', { cursor: given })).toThrow(/^cursor: is not a value of nextCursor/)
})

test('a cursor of a version before, a query without one and a last page stay as they are', () => {
  expect(read('listPayouts', { cursor: inner })).toEqual({ cursor: inner })
  expect(read('listPayouts', { page: 2 })).toEqual({ page: 2 })
  expect(withListCursor(of('listPayouts'), { query: {} }, { rows: [], nextCursor: null })).toEqual({
    rows: [],
    nextCursor: null,
  })
})

test('the same filter in other words is the same, whatever the page, the length and the form', () => {
  const given = cursorOf(filter)
  const same = {
    sort: 'DESC',
    since: '2026-11-28T01:00:00+01:00',
    status: ['expired', 'paid'],
    limit: 7,
    page: 3,
    bom: true,
  }
  expect(read('listSessions', { ...same, cursor: given })).toMatchObject({ cursor: inner })
})

test.each([
  ['another sort', { ...filter, sort: 'ASC' }],
  ['fewer states', { ...filter, status: ['paid'] }],
  ['another time', { ...filter, since: '2026-11-28T00:00:01Z' }],
  ['one filter more', { ...filter, chain: 'base' }],
])('a cursor with %s is refused', (_what, query) => {
  expect(() => read('listSessions', { ...query, cursor: cursorOf(filter) })).toThrow(
    /^cursor: belongs to another filter or sort/,
  )
})

test('a cursor of the refunds of another session is refused', () => {
  expect(() => read('listSessions', { cursor: cursorOf({}, { id: 'a' }) }, { id: 'b' })).toThrow(/^cursor: /)
})

test('what a version before reads of a cursor is its list and place', () => {
  // It decodes the whole text, and `=` ends base64.
  expect(Buffer.from(cursorOf(filter), 'base64url').toString()).toBe(`listSessions:${id}`)
  for (const name of ['listA', 'listAb', 'listAbc', 'listAbcd']) {
    const { nextCursor } = withListCursor(of(name), { query: {} }, { nextCursor: inner })
    expect(Buffer.from(nextCursor, 'base64url').toString()).toBe(`${name}:${id}`)
  }
})
