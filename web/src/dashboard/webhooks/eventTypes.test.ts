import { expect, test } from '@jest/globals'
import { eventTypes } from '../../../../src/webhooks/recordEvents.ts'
import { takenInWords, topics, typeChoices, unknownTypes, withoutNeedless } from './eventTypes.ts'

const offered: string[] = topics.flatMap(({ types }) => types.map(({ type }) => type))

test('every type of event that is ever sent is offered', () => {
  expect([...eventTypes].filter((type) => !offered.includes(type))).toEqual([])
})

test('each type stands below its own topic, and in the choices of a search', () => {
  for (const { topic, types } of topics) for (const { type } of types) expect(type.startsWith(`${topic}.`)).toBe(true)
  expect(typeChoices.map(({ value }) => value)).toEqual(expect.arrayContaining(['', 'session.*', ...offered]))
})

test('a topic that is taken whole makes its single types needless, and no others', () => {
  expect(withoutNeedless(['session.*', 'session.paid', 'transfer.failed'])).toEqual(['session.*', 'transfer.failed'])
  expect(withoutNeedless(['session.paid'])).toEqual(['session.paid'])
})

test('types without a checkbox are known as such', () => {
  expect(unknownTypes(['session.*', 'session.paid', 'swap.filled', 'swap.*'])).toEqual(['swap.filled', 'swap.*'])
})

test('what an endpoint takes is told in a few words', () => {
  expect(takenInWords(null)).toBe('Everything')
  expect(takenInWords(['session.*', 'transfer.failed'])).toBe('session.*, transfer.failed')
  expect(takenInWords(['a.a', 'a.b', 'a.c', 'a.d', 'a.e'])).toBe('a.a, a.b, a.c and 2 more')
})
