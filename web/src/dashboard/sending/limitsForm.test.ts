import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { describeAmounts, readLimits, writeLimits } from './limitsForm.ts'

const limits = {
  amounts: [
    { chain: 'ethereum', token: 'usdc', perTransfer: '100', perDay: '1000.5', approvalAbove: null },
    { chain: 'tron', token: 'native', perTransfer: null, perDay: null, approvalAbove: '0' },
  ],
  destinations: [
    { chain: 'ethereum', address: '0xab' },
    { chain: 'stellar', address: 'GA', memo: 'till 7', memoType: 'text' },
  ],
} satisfies ReturnType<typeof readLimits>

test('written limits are read back; an empty field is no limit', () => {
  const written = writeLimits(limits)
  expect(written.amounts).toBe('ethereum usdc 100 1000.5 -\ntron native - - 0')
  expect(readLimits(`\n ${written.amounts} \n`, written.destinations)).toEqual(limits)
  expect(readLimits(' \n', '')).toEqual({ amounts: null, destinations: null })
  const empty = { amounts: [], destinations: [] }
  const { amounts, destinations } = writeLimits(empty)
  expect(readLimits(amounts, destinations)).toEqual(empty)
})

test('limits of amounts are shown with the meaning of each number', () => {
  const [first, second] = describeAmounts(limits).split('\n')
  expect(first).toBe('Ethereum, USDC: at most 100 in one transfer, at most 1000.5 in 24 hours')
  expect(second).toBe('Tron, native coin: above 0 a second owner approves')
  expect(
    describeAmounts({
      amounts: [{ chain: 'tron', token: 'native', perTransfer: null, perDay: null, approvalAbove: null }],
    }),
  ).toBe('Tron, native coin: not limited')
  expect([describeAmounts({ amounts: null }), describeAmounts({ amounts: [] })]).toEqual(['', 'nothing'])
})

test.each([
  ['ethereum usdc 100 1000', ''],
  ['ethereum usdc 1e3 - -', ''],
  ['ethereum dai 1 - -', ''],
  ['mainnet usdc 1 - -', ''],
  ['', 'ethereum'],
  ['', '0xab ethereum'],
  ['', 'stellar GA 42'],
  ['', 'stellar GA id'],
])('an invalid limit is named: %p %p', (amounts, destinations) => {
  expect(() => readLimits(amounts, destinations)).toThrow(FieldProblem)
})
