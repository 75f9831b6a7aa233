import { expect, test } from '@jest/globals'
import { asSentence } from './plainError.ts'

test('a message of the API becomes a sentence, without a pattern', () => {
  expect(asSentence('must be after from')).toBe('Must be after from.')
  expect(asSentence('Debit must match pattern "^(available|fees)$"')).toBe(
    'Debit does not have the right form.',
  )
  expect(asSentence('asset: must match pattern "^[a-z0-9-]+:[A-Za-z0-9.]+$"')).toBe(
    'Asset: does not have the right form.',
  )
})
