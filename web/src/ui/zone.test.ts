import { expect, test } from '@jest/globals'
import { isZone, monthIn, zoneChoices } from './zone.ts'

test('a month begins at midnight of its zone', () => {
  const at = new Date('2026-10-31T23:30:00Z')
  expect([monthIn('Africa/Lagos', at), monthIn('UTC', at)]).toEqual(['2026-11', '2026-10'])
})

test('the zones to choose from have UTC, and the one that is set by another name', () => {
  const names = zoneChoices('Asia/Kolkata').map(({ value }) => value)
  expect(names).toEqual(expect.arrayContaining(['Africa/Lagos', 'UTC', 'Asia/Kolkata']))
})

test.each([
  ['Africa/Lagos', true],
  ['UTC', true],
  ['+01:00', false],
  ['Nowhere/At_All', false],
  ['', false],
])('%j is a zone: %s', (text, is) => expect(isZone(text)).toBe(is))
