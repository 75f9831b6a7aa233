import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { PaymentSettings } from '../types.ts'
import { networksOf, paymentIn, tokensOf } from './paymentForm.ts'

const form = (values: Record<string, string>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries({
    chain: 'base',
    token: 'USDC',
    expirySeconds: '600',
    reference: '',
    label: ' ',
    ...values,
  }))
    data.set(name, value)
  return data
}
const wanted = { chain: 'base', token: 'USDC', expirySeconds: 600 }

test('an amount is of the token or of the local currency; what is empty is left out', () => {
  expect(paymentIn(form({ amount: ' 12.50 ' }))).toEqual({ ...wanted, amount: '12.50' })
  expect(paymentIn(form({ localAmount: '24750', reference: ' Order 7 ', label: 'Table 4' }))).toEqual({
    ...wanted,
    localAmount: '24750',
    reference: 'Order 7',
    label: 'Table 4',
  })
})

test.each(['', '1,5', '1e3', '-1', '.5', '01', '5 USDC', '٥'])('%j is no amount', (amount) => {
  for (const name of ['amount', 'localAmount'])
    expect(() => paymentIn(form({ [name]: amount }))).toThrow(FieldProblem)
})

test('only what the business accepts is offered', () => {
  const token = (symbol: 'USDC' | 'USDT', accepted: boolean) => ({ token: symbol, accepted })
  const settings = {
    networks: [
      { chain: 'ethereum', tokens: [token('USDC', true), token('USDT', false)] },
      { chain: 'base', tokens: [token('USDC', true)] },
      { chain: 'tron', tokens: [token('USDT', false)] },
    ],
  } as PaymentSettings
  expect(tokensOf(settings)).toEqual(['USDC'])
  expect(networksOf(settings, 'USDC')).toEqual(['ethereum', 'base'])
  expect(networksOf(settings, 'USDT')).toEqual([])
})
