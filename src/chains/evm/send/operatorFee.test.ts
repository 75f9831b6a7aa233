import { expect, test } from '@jest/globals'
import { registry } from '../../registry.ts'
import { hasOperatorFee, operatorFeePaid } from './operatorFee.ts'

/** The fork of both mainnets (superchain-registry). */
const jovianTime = 1_764_691_201
/** Scalar, constant, gas and fees of op-geth's own tests (`rollup_cost_test.go`). */
const receipt = { operatorFeeScalar: '0x55c6fb7c', operatorFeeConstant: '0x116fb15b44847d04' }

test('the operator fee follows the formula of the fork of its block', () => {
  expect(operatorFeePaid({ jovianTime }, receipt, 1618n, jovianTime - 1)).toBe(1_256_417_826_611_659_930n)
  expect(operatorFeePaid({ jovianTime }, receipt, 1618n, jovianTime)).toBe(1_256_650_673_615_173_860n)
})

test('of a receipt with one field the other is zero; without both there is no fee', () => {
  expect(operatorFeePaid({ jovianTime }, { operatorFeeConstant: '0x7' }, 1618n, jovianTime)).toBe(7n)
  expect(
    operatorFeePaid({ jovianTime }, { operatorFeeScalar: '0x7', operatorFeeConstant: null }, 1_000_000n, 1),
  ).toBe(7n)
  expect([{}, { operatorFeeScalar: null }, { operatorFeeScalar: '0x0' }].map(hasOperatorFee)).toEqual([
    false,
    false,
    true,
  ])
})

test('base and optimism have the time of the fork, and no other chain', () => {
  const times = registry
    .filter((chain) => chain.jovianTime !== undefined)
    .map(({ name, jovianTime }) => [name, jovianTime])
  expect(times.sort()).toEqual([
    ['base', jovianTime],
    ['optimism', jovianTime],
  ])
})
