import { expect, test } from '@jest/globals'
import { CowryError } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { Refundable } from './refundable.ts'
import { draftIn, kindsOf, refusalText } from './refundForm.ts'

const usdc: Refundable = {
  chain: 'base',
  token: 'USDC',
  whole: '12.5',
  excess: '2.5',
  rest: '12.5',
  now: '12.5',
}
const usdt: Refundable = { chain: 'tron', token: 'USDT', whole: null, excess: null, rest: '95', now: '95' }

function draft(values: Record<string, string>) {
  const data = new FormData()
  for (const [name, value] of Object.entries({ to: 'address', toAddress: ' 0xAB ', ...values }))
    data.set(name, value)
  return draftIn(data, [usdc, usdt])
}

test('the whole is offered until something was refunded, then the rest', () => {
  expect([usdc, usdt].map(kindsOf)).toEqual([
    [
      ['excess', '2.5'],
      ['whole', '12.5'],
    ],
    [['rest', '95']],
  ])
})

test('only what the balance covers is offered', () => {
  expect(kindsOf({ ...usdc, now: '12.4' })).toEqual([['excess', '2.5']])
  expect(kindsOf({ ...usdt, now: '3' })).toEqual([])
})

test('a form is read: a kind with its amount, or an amount, of the asset that was chosen', () => {
  const to = { chain: 'base', token: 'USDC', toAddress: '0xAB' }
  expect(draft({ kind: 'excess' })).toEqual({ body: { kind: 'excess', ...to }, amount: '2.5' })
  expect(draft({ kind: 'amount', amount: ' 3 ' })).toEqual({ body: { amount: '3', ...to }, amount: '3' })
  expect(draft({ asset: 'tron:USDT', kind: 'rest' })).toMatchObject({
    body: { kind: 'rest', chain: 'tron', token: 'USDT' },
    amount: '95',
  })
  for (const amount of ['', '1,5', '-1', '1e3'])
    expect(() => draft({ kind: 'amount', amount })).toThrow(FieldProblem)
})

test('a link requests no address; a memo is sent with its kind, if there is one', () => {
  expect(draft({ kind: 'whole', to: 'claim' }).body).toEqual({
    kind: 'whole',
    chain: 'base',
    token: 'USDC',
    claim: true,
  })
  expect(draft({ kind: 'whole', memo: '17', memoType: 'id' }).body).toMatchObject({
    toAddress: '0xAB',
    memo: '17',
    memoType: 'id',
  })
  expect(draft({ kind: 'whole', memo: '', memoType: 'id' }).body).not.toHaveProperty('memoType')
})

test('a refusal that names a field is a sentence', () => {
  const refused = (field: string, message: string) =>
    refusalText(
      new CowryError({
        status: 422,
        code: 'x',
        message: `${field}: ${message}`,
        fields: [{ field, message }],
      }),
    )
  expect(refused('toAddress', 'is not an address of base')).toMatchObject({
    message: 'The address is not an address of base.',
  })
  expect(refused('kind', 'only 5 USDC on base can be refunded')).toMatchObject({
    message: 'Only 5 USDC on base can be refunded.',
  })
  const other = new CowryError({ status: 409, code: 'session_pending', message: 'The session waits' })
  expect(refusalText(other)).toBe(other)
})
