import { expect, test } from '@jest/globals'
import { countriesOf, destinationIn } from './destinationForm.ts'

const form = (fields: Record<string, string>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

test('a bank account has no fields of a wallet, and no empty ones', () => {
  const sent = form({
    kind: 'bank',
    name: ' ',
    networkId: 'gt',
    accountNumber: ' 0123 456 789 ',
    accountName: 'Ada Stores Ltd',
  })
  expect(destinationIn(sent)).toEqual({
    networkId: 'gt',
    accountNumber: '0123 456 789',
    accountName: 'Ada Stores Ltd',
  })
  sent.set('currency', 'USD')
  sent.set('name', 'Rent')
  expect(destinationIn(sent)).toMatchObject({ name: 'Rent', currency: 'USD' })
})

test('a wallet has the type of its memo only with a memo', () => {
  const sent = form({ kind: 'wallet', chain: 'stellar', address: ' G1 ', memo: '', memoType: 'id' })
  expect(destinationIn(sent)).toEqual({ chain: 'stellar', address: 'G1' })
  sent.set('memo', '7')
  expect(destinationIn(sent)).toEqual({ chain: 'stellar', address: 'G1', memo: '7', memoType: 'id' })
})

test('each country of the banks is offered once', () => {
  const bank = (countryCode: string) => ({ id: 'a', name: 'a', code: '1', countryCode, currencies: ['NGN'] })
  expect(countriesOf([bank('NG'), bank('KE'), bank('NG')])).toEqual(['KE', 'NG'])
})
