import { expect, test } from '@jest/globals'
import { takenText, topics, typeChoices, unknownTypes, withoutRedundant } from './eventTypes.ts'

const offered: string[] = topics.flatMap(({ types }) => types.map(({ type }) => type))

test('each type is listed under its own topic, and in the choices of a search', () => {
  for (const { topic, types } of topics)
    for (const { type } of types) expect(type.startsWith(`${topic}.`)).toBe(true)
  expect(typeChoices.map(({ value }) => value)).toEqual(expect.arrayContaining(['', 'session.*', ...offered]))
})

test('a whole topic makes its single types unnecessary, and no others', () => {
  expect(withoutRedundant(['session.*', 'session.paid', 'transfer.failed'])).toEqual([
    'session.*',
    'transfer.failed',
  ])
  expect(withoutRedundant(['session.paid'])).toEqual(['session.paid'])
})

test('types without a checkbox are recognized', () => {
  expect(unknownTypes(['session.*', 'session.paid', 'barter.filled', 'barter.*'])).toEqual([
    'barter.filled',
    'barter.*',
  ])
})

test("an endpoint's types are shown in short", () => {
  expect(takenText(null)).toBe('Everything')
  expect(takenText(['session.*', 'transfer.failed'])).toBe('session.*, transfer.failed')
  expect(takenText(['a.a', 'a.b', 'a.c', 'a.d', 'a.e'])).toBe('a.a, a.b, a.c and 2 more')
})
