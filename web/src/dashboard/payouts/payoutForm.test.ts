import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { Balance } from '../books/types.ts'
import { draftIn, fittingFirst, sourceChoices } from './payoutForm.ts'

const none = { pending: '0', receivable: '0', payoutsHeld: '0', stakes: '0', credit: '0', creditHeld: '0' }
const balance = (asset: string, available: string): Balance =>
  ({ ...none, asset, available, symbol: asset.split(':')[1] ?? '' }) as Balance

function form(values: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}

test('only balances with available money can be paid out', () => {
  const balances = [
    balance('base:USDC', '12.5'),
    balance('tron:USDT', '0'),
    balance('bsc:USDT', '0.00'),
    balance('base:USDT', '-3'),
    balance('usd', '7'),
  ]
  expect(sourceChoices(balances)).toEqual([
    { value: 'base:USDC', label: 'USDC on Base', available: '12.5 USDC' },
  ])
})

test('destinations that the money fits come first, in their order', () => {
  const places = [
    { id: 'solana', kind: 'wallet', chain: 'solana' },
    { id: 'bank', kind: 'bank', chain: null },
    { id: 'base', kind: 'wallet', chain: 'base' },
  ] as const
  const order = (asset: string | undefined) => fittingFirst(places, asset).map(({ id }) => id)
  expect(order('base:USDC')).toEqual(['bank', 'base', 'solana'])
  expect(order('solana:USDC')).toEqual(['solana', 'bank', 'base'])
  expect(order(undefined)).toEqual(['bank', 'solana', 'base'])
})

test('a form becomes a request; an empty reference is left out', () => {
  const values = { source: 'base:USDC', destination: 'd1', amount: ' 12.50 ', reference: '' }
  expect(draftIn(form(values))).toEqual({
    source: { chain: 'base', token: 'USDC' },
    destinationId: 'd1',
    amount: '12.50',
  })
  expect(draftIn(form({ ...values, reference: 'July' })).reference).toBe('July')
})

test.each(['', '-1', '1e3', '1,5', '01', '.5', '5.'])('the amount %j is refused at its field', (amount) => {
  const send = () => draftIn(form({ source: 'base:USDC', destination: 'd1', amount }))
  expect(send).toThrow(FieldProblem)
  expect(send).toThrow(
    expect.objectContaining({ fields: { amount: 'Enter an amount, such as 25 or 12.50.' } }),
  )
})
