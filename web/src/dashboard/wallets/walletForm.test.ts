import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { withoutHeads } from '../books/downloadList.ts'
import { balanceRows, heldOf } from './balances.ts'
import type { WalletBalance } from './types.ts'
import { storedIn, walletIn } from './walletForm.ts'

const named = { chain: 'solana', name: 'till' } as const

test('words are a phrase; one word, or a list of numbers, is a private key', () => {
  expect(storedIn(named, 'one  two\nthree')).toEqual({ ...named, mnemonic: 'one two three' })
  expect(storedIn({ ...named, name: undefined }, 'S3CR3T')).toEqual({ chain: 'solana', privateKey: 'S3CR3T' })
  expect(storedIn(named, '[1, 2, 3]')).toEqual({ ...named, privateKey: '[1, 2, 3]' })
})

test('a form without a network is refused there; a label may stay empty', () => {
  const data = new FormData()
  data.set('name', ' ')
  expect(() => walletIn(data)).toThrow(FieldProblem)
  data.set('chain', 'base')
  expect(walletIn(data)).toEqual({ chain: 'base', name: undefined })
})

const balance: WalletBalance = {
  chain: 'solana',
  address: 'a',
  lastUpdated: '2026-11-30T10:00:00.000Z',
  balances: {
    native: { symbol: 'SOL', balance: '1.5', decimals: 9 },
    tokens: [
      { address: 'm1', symbol: 'USDC', balance: '20', decimals: 6, sendable: '18' },
      { address: 'm2', symbol: 'USDT', balance: null, decimals: null, problem: 'unreadable' },
    ],
  },
}

test('a balance that cannot be read says so, and one that leaves in parts says how much at once', () => {
  expect(balanceRows(balance).map(({ amount, problem, sendable }) => [amount ?? problem, sendable])).toEqual([
    ['1.5 SOL', null],
    ['20 USDC', '18 USDC'],
    ['It cannot be read now', null],
  ])
})

test('all of a token is what one transfer can send', () => {
  expect([heldOf(balance, 'native'), heldOf(balance, 'usdc'), heldOf(balance, 'usdt')]).toEqual([
    '1.5',
    '18',
    null,
  ])
})

test('the pages of a list become one file with its heads once', () => {
  expect(withoutHeads('id,name\r\n1,"a\nb"\r\n')).toBe('1,"a\nb"\r\n')
})
