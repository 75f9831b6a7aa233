import { expect, test } from '@jest/globals'
import { newestOnly } from './newestOnly.ts'

test('a reader that has not taken a message holds one more, and it is the newest', () => {
  const sent: [message: string, taken: (error?: Error) => void][] = []
  const offer = newestOnly({ send: (message, taken) => void sent.push([message, taken]) })
  for (const each of ['1', '2', '3', '4']) offer(each)
  expect(sent.map(([message]) => message)).toEqual(['1'])
  sent[0]?.[1]()
  expect(sent.map(([message]) => message)).toEqual(['1', '4'])
  sent[1]?.[1]()
  offer('5')
  expect(sent.map(([message]) => message)).toEqual(['1', '4', '5'])
  offer('6')
  sent[2]?.[1](new Error('closed'))
  expect(sent).toHaveLength(3)
})
