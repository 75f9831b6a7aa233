import { expect, test } from '@jest/globals'
import type { PaymentSettings } from '../types.ts'
import { controlOf, limitsIn, rowsOf } from './limitRows.ts'

const networks = [
  { chain: 'ethereum', tokens: [{ token: 'USDC', accepted: true }] },
  {
    chain: 'base',
    tokens: [
      { token: 'USDC', accepted: true },
      { token: 'USDT', accepted: false },
    ],
  },
] as PaymentSettings['networks']

test('each token has a row for all networks, and each limit of one network a row of its own', () => {
  const limits = [
    { token: 'USDC', chain: 'base', min: '1', max: null },
    { token: 'USDC', chain: null, min: '5', max: '100' },
  ]
  expect(rowsOf(networks, limits)).toEqual([
    { token: 'USDC', chain: null, min: '5', max: '100' },
    { token: 'USDT', chain: null, min: '', max: '' },
    { token: 'USDC', chain: 'base', min: '1', max: '' },
  ])
})

test('rows without a limit are left out, and a mistake is shown at the row that it is about', () => {
  const data = new FormData()
  for (const [name, value] of Object.entries({ 'min.0': '', 'max.0': ' ', 'min.1': '2', 'max.1': '1' }))
    data.append(name, value)
  const { limits, numbers } = limitsIn(data, [
    { token: 'USDC', chain: null },
    { token: 'USDT', chain: null },
  ])
  expect(limits).toEqual([{ token: 'USDT', chain: null, min: '2', max: '1' }])
  expect(controlOf('limits.0.max', numbers)).toBe('max.1')
  expect(controlOf('limits.0', numbers)).toBe('min.1')
  expect(controlOf('limits.0.min', numbers)).toBe('min.1')
  expect(controlOf('other', numbers)).toBeNull()
})
