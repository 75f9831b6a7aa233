import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { bridgeIn, walletChoices } from './bridgeForm.ts'
import type { Wallet } from './types.ts'

const wallet = (id: string, chain: string, name: string | null): Wallet =>
  ({ id, chain, name, address: `0x${id}` }) as Wallet
const wallets = [wallet('a', 'base', null), wallet('b', 'tron', 'cold'), wallet('c', 'polygon', 'till')]

function form(values: Record<string, string>): FormData {
  const data = new FormData()
  const all = {
    sourceAddress: 'a',
    destinationChain: 'polygon',
    destinationAddress: ' 0xdd ',
    amount: '25',
    speed: 'fast',
    mintedBy: 'platform',
  }
  for (const [name, value] of Object.entries({ ...all, ...values })) data.set(name, value)
  return data
}

test('wallets on networks without a bridge are not offered', () => {
  expect(walletChoices(wallets)).toEqual([
    { value: 'a', label: 'Base, 0xa' },
    { value: 'c', label: 'Polygon, till 0xc' },
  ])
})

test('a form becomes a request', () => {
  const request = {
    sourceChain: 'base',
    destinationChain: 'polygon',
    amount: '25',
    sourceAddress: '0xa',
    destinationAddress: '0xdd',
  }
  expect(bridgeIn(form({}), wallets)).toEqual({ ...request, speed: 'fast', automatic: false })
  expect(bridgeIn(form({ speed: 'standard', mintedBy: 'circle' }), wallets)).toEqual({
    ...request,
    speed: 'standard',
    automatic: true,
  })
})

test.each([
  ['another amount', { amount: '1e3' }],
  ['the network of the wallet', { destinationChain: 'base' }],
  ['no network', { destinationChain: '' }],
  ['no wallet', { sourceAddress: 'x' }],
])('%s is refused at its field', (_what, values) => {
  const sent = () => bridgeIn(form(values), wallets)
  expect(sent).toThrow(FieldProblem)
})
