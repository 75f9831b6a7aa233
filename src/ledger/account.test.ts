import { expect, test } from '@jest/globals'
import { type Account, accountKey, businessAccountNames, normalSide } from './account.ts'

const platform = (name: string) => ({ name, businessId: null, asset: 'ethereum:USDC' }) as Account
const ofBusiness = (name: string, businessId = 'one') =>
  ({ name, businessId, asset: 'ethereum:USDC' }) as Account

test('income and debts of the platform are credits; money that is held, and costs, debits', () => {
  const credits = [
    'fees',
    'fx_margin',
    'fx_result',
    'rewards',
    'penalties',
    'rounding',
    'suspense',
    'exchange',
    'capital',
  ]
  const debits = ['deposits:solana', 'treasury:ethereum', 'partner:yellowcard', 'network_costs']
  expect(credits.map((name) => normalSide(platform(name)))).toEqual(credits.map(() => 'credit'))
  expect(debits.map((name) => normalSide(platform(name)))).toEqual(debits.map(() => 'debit'))
})

test('a business is owed every account but its receivable', () => {
  expect(businessAccountNames.filter((name) => normalSide(ofBusiness(name)) === 'debit')).toEqual([
    'receivable',
  ])
  expect([...businessAccountNames].sort()).toEqual([
    'available',
    'credit',
    'credit_held',
    'payouts_held',
    'pending',
    'receivable',
    'stakes',
  ])
})

test('accounts of one name differ by business and by asset', () => {
  const keys = [
    ofBusiness('available'),
    ofBusiness('available', 'two'),
    { ...ofBusiness('available'), asset: 'ethereum:USDT' },
  ].map(accountKey)
  expect(new Set(keys).size).toBe(3)
})
