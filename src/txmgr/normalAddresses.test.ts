import { expect, test } from '@jest/globals'
import type { CallsSpec, TransferSpec } from '../chains/action.ts'
import { requireNormalAddresses } from './normalAddresses.ts'

const [one, two, three] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
const gas = { gasPrice: null, gasLimit: null }
const transfer: TransferSpec = {
  kind: 'transfer',
  from: one,
  to: two,
  token: null,
  amount: 1n,
  memo: null,
  ...gas,
}
const flow = (address: string) => ({ address, token: null, amount: 1n })
const call = { to: two, data: '0x', value: 0n, accounts: [] }
const calls: CallsSpec = {
  kind: 'calls',
  from: one,
  calls: [call],
  cosigners: [three],
  spends: [flow(one)],
  receives: [flow(two)],
  ...gas,
}
const loud = `0x${'A'.repeat(40)}`

test('addresses in normal form are accepted', () => {
  for (const action of [transfer, calls])
    expect(() => requireNormalAddresses('ethereum', action)).not.toThrow()
})

test.each([
  ['the sender of a transfer', { ...transfer, from: loud }],
  ['the recipient of a transfer', { ...transfer, to: loud }],
  ['the sender of calls', { ...calls, from: loud }],
  ['the contract of a call', { ...calls, calls: [call, { ...call, to: loud }] }],
  [
    "an account of a call's instruction",
    { ...calls, calls: [{ ...call, accounts: [{ address: loud, signer: false, writable: true }] }] },
  ],
  ['a cosigner', { ...calls, cosigners: [loud] }],
  ['an address that spends', { ...calls, spends: [flow(loud)] }],
  ['an address that receives', { ...calls, receives: [flow(loud)] }],
])('%s in another form is refused', (_what, action) => {
  expect(() => requireNormalAddresses('ethereum', action)).toThrow(
    `${loud} is not an address in the normal form of ethereum`,
  )
})

test("an address of another chain's family is refused", () => {
  expect(() => requireNormalAddresses('tron', transfer)).toThrow('normal form of tron')
})
