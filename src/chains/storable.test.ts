import { expect, test } from '@jest/globals'
import { ProviderError, type Transfer } from './chain.ts'
import { storable } from './storable.ts'

const transfer = (txId: string, movementKey: string): Transfer => ({
  txId,
  movementKey,
  contract: null,
  from: 'a',
  to: 'b',
  amount: 1n,
})

test('a block with a transfer that is listed twice is refused: the statement that stores it would fail for ever', () => {
  const transfers = [transfer('1', 'native'), transfer('1', 'log:0'), transfer('2', 'native')]
  expect(storable({ transfers }).transfers).toBe(transfers)
  expect(() => storable({ transfers: [...transfers, transfer('1', 'log:0')] })).toThrow(ProviderError)
})
