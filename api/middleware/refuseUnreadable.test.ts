import { describe, expect, test } from '@jest/globals'
import type { ApiError } from '../../src/platform/errors.ts'
import { refuseUnreadable } from './refuseUnreadable.ts'

/** The fields that are refused. */
function refusedIn(originalUrl: string): object[] {
  let passed = false
  try {
    refuseUnreadable({ originalUrl } as never, {} as never, () => {
      passed = true
    })
  } catch (error) {
    expect(error).toMatchObject({ status: 400, error: 'Invalid request parameters' })
    return (error as ApiError).fields ?? []
  }
  expect(passed).toBe(true)
  return []
}

const finite = 'is not a finite number'
const large = 'is a number past 2^53'
const utf8 = 'is not valid UTF-8'

describe('a query is refused', () => {
  test.each([
    ['limit=1e309', 'limit', finite],
    ['limit=-1E309', 'limit', finite],
    ['limit=%31e309', 'limit', finite],
    ['limit=+1e309', 'limit', finite],
    ['limit=1&limit=1e309', 'limit', finite],
    ['after=Infinity', 'after', finite],
    [`after=${'9'.repeat(400)}`, 'after', finite],
    [`after=0x${'f'.repeat(300)}`, 'after', finite],
    ['after=9007199254740993', 'after', large],
    ['after=-9007199254740992', 'after', large],
    ['after=9007199254740993.0', 'after', large],
    ['after=1e20', 'after', large],
    ['search=%ff', 'search', utf8],
    ['search=Caf%E9', 'search', utf8],
    ['search=%ED%A0%80', 'search', utf8],
    ['search=Caf\xe9', 'search', 'must be percent-encoded'],
    ['%ff=1', 'a field with a long or odd name', utf8],
    ['1e309', '1e309', finite],
    ['1e309=1', '1e309', finite],
    ['a=b=%ff', 'a', utf8],
  ])('%s', (query, field, message) => {
    expect(refusedIn(`/api/v1/events?${query}`)).toEqual([
      { field, message, code: message === finite || message === large ? 'inexact_number' : 'unsafe_text' },
    ])
  })
})

test.each([
  '/api/v1/sessions/1e309',
  '/api/v1/sessions/9007199254740993',
  '/api/v1/sessions/%ff/x',
  '/api/v1/sessions/caf\xe9',
])('the path %s is refused', (path) => expect(refusedIn(path)).toMatchObject([{ field: 'path' }]))

test.each([
  '/api/v1/sessions',
  '/api/v1/sessions?',
  '/api/v1/sessions?limit=20&sort=ASC&after=9007199254740991',
  '/api/v1/sessions?search=Caf%C3%A9+100%&reference=INV-9007199254740993',
  `/api/v1/monitor?address=0x${'f'.repeat(40)}`,
  `/api/v1/transfers/${'ab'.repeat(32)}`,
  '/api/v1/events?at=2026-11-28T12:00:00Z&rate=1.5',
])('%s is read', (url) => expect(refusedIn(url)).toEqual([]))
