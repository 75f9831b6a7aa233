import { expect, test } from '@jest/globals'
import { isSame } from './isSame.ts'

test('texts and bytes are the same only if every byte is', () => {
  expect([
    isSame('a', 'a'),
    isSame('', ''),
    isSame(Buffer.from([1, 2]), Buffer.from([1, 2])),
    isSame('a', Buffer.from('a')),
  ]).not.toContain(false)
  for (const [one, other] of [
    ['a', 'b'],
    ['a', 'A'],
    ['a', 'aa'],
    ['', 'a'],
    ['ä', 'a'],
    [Buffer.from([1, 2]), Buffer.from([1])],
  ] as const)
    expect(isSame(one, other)).toBe(false)
})
