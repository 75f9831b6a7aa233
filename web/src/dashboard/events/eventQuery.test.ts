import { expect, test } from '@jest/globals'
import { readEventQuery } from './eventQuery.ts'

const now = new Date('2026-11-30T13:00:00Z')
const read = (search: string) => readEventQuery(new URLSearchParams(search), now, 'Africa/Lagos')

test('a search in the URL becomes one of the API, with times by the zone of the business', () => {
  expect(read('type=session.*&status=failed&since=2026-11-25T10:00')).toEqual({
    type: 'session.*',
    status: 'failed',
    since: '2026-11-25T09:00:00.000Z',
    until: undefined,
  })
  expect(read('type=session.paid&period=today')).toMatchObject({
    type: 'session.paid',
    since: '2026-11-29T23:00:00.000Z',
  })
})

test.each(['type=moon.landed', 'type=__proto__', 'status=constructor', 'status=', 'period=never'])(
  '%s is left out',
  (search) => expect(Object.values(read(search)).every((value) => value === undefined)).toBe(true),
)
