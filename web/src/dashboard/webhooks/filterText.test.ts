import { expect, test } from '@jest/globals'
import { filterText } from './filterText.ts'

test('a filter is told in short; without one there is nothing to tell', () => {
  expect(filterText({ chains: null, tokens: null, referencePrefix: null })).toBe('')
  expect(filterText({ chains: ['base', 'bsc'], tokens: ['USDC'], referencePrefix: 'shop-' })).toBe(
    'Base, BNB Smart Chain; USDC; references that begin with shop-',
  )
})
