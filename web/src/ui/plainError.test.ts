import { expect, test } from '@jest/globals'
import { asSentence } from './plainError.ts'

test('a message of the API becomes a sentence', () => {
  expect(asSentence('must be after from')).toBe('Must be after from.')
  expect(asSentence('is not a date.')).toBe('Is not a date.')
  expect(asSentence('  ')).toBe('This value is not valid.')
})
