import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { madeSolanaNode, type SolanaAnswers } from '../../../../test/support/madeSolana.ts'
import { ProviderError } from '../../chain.ts'
import { RpcError } from '../../providers/jsonRpc.ts'
import { maxPrice, minPrice, priorityPrice } from './priorityPrice.ts'

/** The devnet has no competing bids: these nodes do. */
const priced = (answer: SolanaAnswers[string]) =>
  priorityPrice(madeSolanaNode('a', [], { getRecentPrioritizationFees: answer }), ['from', 'to'])
const fees = (...paid: unknown[]) =>
  priced(() => paid.map((prioritizationFee, slot) => ({ slot, prioritizationFee })))

test('the price is the median of the prices paid, without zeros', async () => {
  expect(await fees(0, 9_000, 0, 5_000, 0, 7_000)).toBe(7_000n)
  expect(await fees(20_000, 3_000_000_000, 30_000, 10_000)).toBe(30_000n)
})

test('the price is requested for the writable accounts', async () => {
  const asked: unknown[] = []
  await priced((params) => asked.push(...params))
  expect(asked).toEqual([['from', 'to']])
})

test('the price stays between minimum and maximum on any answer', async () => {
  expect([await fees(), await fees(0, 0), await fees(1, 2, 3)]).toEqual(Array(3).fill(minPrice))
  expect(await fees(2_000_001, 2_000_001)).toBe(maxPrice)
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.anything(), fc.array(fc.record({ prioritizationFee: fc.anything() }))),
      async (answer) => {
        const price = await priced(() => answer)
        expect(price >= minPrice && price <= maxPrice).toBe(true)
      },
    ),
  )
})

test('the price is the minimum if the node does not support prices; a failing node is a provider error', async () => {
  const refuse = (code: number, message: string) =>
    priced(() => {
      throw new RpcError('a: getRecentPrioritizationFees', code, message)
    })
  expect(await refuse(-32601, 'Method not found')).toBe(minPrice)
  await expect(refuse(-32603, 'Internal error')).rejects.toThrow(ProviderError)
})
