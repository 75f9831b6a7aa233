import { expect, test } from '@jest/globals'
import { createRemembered } from './remembered.ts'

test('the map is bounded, and the oldest entry is evicted first', () => {
  const remembered = createRemembered<number>(2)
  remembered.keep('a', 1)
  remembered.keep('b', 2)
  remembered.keep('b', 3)
  expect([remembered.get('a'), remembered.get('b')]).toEqual([1, 3])
  remembered.keep('c', 4)
  expect([remembered.has('a'), remembered.has('b'), remembered.has('c')]).toEqual([false, true, true])
})
