import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { collectionIn } from './collectionForm.ts'

const wanted = {
  amount: '50000',
  currency: 'NGN',
  country: 'NG',
  walletAddress: '0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22',
  cryptoCurrency: 'USDC',
  cryptoNetwork: 'base',
}
const customer = {
  'recipient.name': 'Ada Obi',
  'recipient.country': 'ng',
  'recipient.phone': ' +2348012345678',
  'recipient.address': '1 Road, Lagos',
  'recipient.dob': '1990-01-31',
  'recipient.email': 'ada@example.com',
  'recipient.idType': 'NIN',
  'recipient.idNumber': '0123456789',
  'recipient.additionalIdType': '',
}

function form(values: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}

test('a form of the business itself becomes a request; empty fields are left out', () => {
  const values = {
    ...wanted,
    amount: ' 50000 ',
    'source.accountType': 'bank',
    payer: 'business',
    memo: '',
    redirectUrl: '',
    reference: '',
    metadata: '',
  }
  expect(collectionIn(form({ ...values, ...customer }))).toEqual({
    ...wanted,
    source: { accountType: 'bank' },
  })
})

test('the customer, the account that they pay from and everything that may stay empty', () => {
  const source = {
    'source.accountType': 'momo',
    'source.networkId': 'mpesa',
    'source.accountNumber': '+254701',
  }
  const more = {
    memo: '77',
    redirectUrl: 'https://shop.example/thanks',
    reference: 'invoice-77',
    metadata: '{"table": 4}',
  }
  expect(collectionIn(form({ ...wanted, ...source, ...more, ...customer, payer: 'customer' }))).toEqual({
    ...wanted,
    source: { accountType: 'momo', networkId: 'mpesa', accountNumber: '+254701' },
    ...more,
    metadata: { table: 4 },
    recipient: {
      name: 'Ada Obi',
      country: 'NG',
      phone: '+2348012345678',
      address: '1 Road, Lagos',
      dob: '1990-01-31',
      email: 'ada@example.com',
      idType: 'NIN',
      idNumber: '0123456789',
    },
  })
})

test.each(['', '0', '-1', '1e3', '1,5', '01', '1.5'])('the amount %j is refused at its field', (amount) => {
  const send = () =>
    collectionIn(form({ ...wanted, amount, 'source.accountType': 'bank', payer: 'business' }))
  expect(send).toThrow(FieldProblem)
  expect(send).toThrow(
    expect.objectContaining({ fields: { amount: 'Enter whole units of the currency, such as 50000.' } }),
  )
})
