import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { SendingWallet, WalletBalance } from '../wallets/types.ts'
import { allOf, draftIn, needsApproval, tokenChoicesOf } from './sendForm.ts'

function form(values: Record<string, string>): FormData {
  const data = new FormData()
  const all = { toAddress: ' GABC ', token: 'usdc', amount: ' 12.50 ', memo: '', memoType: 'text' }
  for (const [name, value] of Object.entries({ ...all, ...values })) data.set(name, value)
  return data
}

test('a form becomes a draft; a memo has its kind', () => {
  expect(draftIn(form({}))).toEqual({ token: 'usdc', toAddress: 'GABC', amount: '12.50' })
  expect(draftIn(form({ memo: ' 42 ', memoType: 'id' }))).toMatchObject({ memo: '42', memoType: 'id' })
})

test('all of it needs no amount', () => {
  expect(draftIn(form({ all: 'yes', amount: '' })).amount).toBe('all')
})

test.each([
  ['no number', { amount: '1e3' }],
  ['no amount', { amount: '' }],
  ['an unknown token', { token: 'dai' }],
])('%s is refused at its field', (_what, values) => {
  expect(() => draftIn(form(values))).toThrow(FieldProblem)
})

test('of the native coin what the fee may need, once more, stays', () => {
  const fee = { expected: '0.01', most: '0.02', besides: '0', currency: 'ETH' }
  const lacking = [{ symbol: 'ETH', missing: '0.02', required: '2.02', available: '2' }]
  expect(allOf('2', { missing: lacking, fee }, 'ETH')).toBe('1.96')
  expect(allOf('0.03', { missing: lacking, fee }, 'ETH')).toBeNull()
})

test('a wallet offers its stablecoins first, then its coin, and no other token', () => {
  const token = (symbol: string | null) => ({ address: `${symbol}`, symbol, balance: '0', decimals: 6 })
  const balances = {
    native: { symbol: 'ETH', balance: '1', decimals: 18 },
    tokens: [token('USDC'), token('DAI'), token(null), token('USDT')],
  }
  const shown = tokenChoicesOf({ balances } as WalletBalance).map(({ value }) => value)
  expect(shown).toEqual(['usdc', 'usdt', 'native'])
})

test('an amount above the limit of its token needs a second owner; one at the limit does not', () => {
  const limit = { chain: 'base', token: 'usdc', perTransfer: null, perDay: null, approvalAbove: '50' }
  const limits = { chain: 'base', amounts: [limit] } as Pick<SendingWallet, 'chain' | 'amounts'>
  expect(['50', '50.000001', '9'].map((amount) => needsApproval(limits, 'usdc', amount))).toEqual([
    false,
    true,
    false,
  ])
  expect(needsApproval(limits, 'native', '900')).toBe(false)
  expect(needsApproval(undefined, 'usdc', '900')).toBe(false)
})
