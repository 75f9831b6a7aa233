import { expect, test } from '@jest/globals'
import type { Action, Token } from '../../chains/action.ts'
import type { TokenMove } from '../../chains/sending.ts'
import { presentArrived, tokenKept } from './tokenKept.ts'

const token: Token = { contract: 'usdt', symbol: 'USDT', decimals: 6 }
const other: Token = { contract: 'usdc', symbol: 'USDC', decimals: 6 }
const gas = { gasPrice: null, gasLimit: null }
const transfer = (of: Token | null, to = 'b'): Action => ({
  kind: 'transfer',
  from: 'a',
  to,
  token: of,
  amount: 40_000_000n,
  memo: null,
  ...gas,
})
const move = (to: string, amount: bigint, contract = token.contract): TokenMove => ({ contract, to, amount })

test('what the recipient did not get of a transfer was kept by the token', () => {
  const moves = [move('owner', 40_000n), move('b', 39_960_000n)]
  expect(tokenKept(transfer(token), { tokenMoves: moves })).toEqual([
    { address: 'b', token, amount: 40_000n },
  ])
  expect(tokenKept(transfer(token), { tokenMoves: [move('b', 40_000_000n)] })).toEqual([])
  expect(tokenKept(transfer(token), { tokenMoves: [move('b', 40_000_000n, 'fake')] })).toEqual([
    { address: 'b', token, amount: 40_000_000n },
  ])
  expect(tokenKept(transfer(token), { tokenMoves: [] })).toEqual([
    { address: 'b', token, amount: 40_000_000n },
  ])
})

test('the owner of the token gets the fee as well: all has arrived', () => {
  expect(tokenKept(transfer(token), { tokenMoves: [move('b', 40_000n), move('b', 39_960_000n)] })).toEqual([])
})

test('it is not known before the chain reports it; nothing is kept of a native coin, or where all arrives by rule', () => {
  expect(tokenKept(transfer(token), { tokenMoves: null })).toBeNull()
  expect(tokenKept(transfer(token), {})).toEqual([])
  expect(tokenKept(transfer(null), { tokenMoves: null })).toEqual([])
  expect(tokenKept(transfer(token, 'a'), { tokenMoves: [] })).toEqual([])
})

test('of a batch, by recipient and token', () => {
  const receives = [
    { address: 'b', token, amount: 10n },
    { address: 'b', token, amount: 5n },
    { address: 'b', token: other, amount: 7n },
    { address: 'b', token: null, amount: 9n },
  ]
  const batch: Action = { kind: 'calls', from: 'a', calls: [], cosigners: [], spends: [], receives, ...gas }
  const tokenMoves = [move('b', 9n), move('b', 4n), move('b', 7n, 'usdc')]
  expect(tokenKept(batch, { tokenMoves })).toEqual([{ address: 'b', token, amount: 2n }])
})

test('it is shown once the transfer is confirmed', () => {
  const row = {
    status: 'confirmed',
    action: transfer(token),
    decimals: 6,
    tokenKept: [{ address: 'b', token, amount: 40_000n }],
    claimableSequence: null,
  } as const
  expect(presentArrived(row)).toEqual({ amountReceived: '39.96', tokenFee: '0.04' })
  expect(presentArrived({ ...row, tokenKept: [] })).toEqual({ amountReceived: '40', tokenFee: '0' })
  expect(presentArrived({ ...row, tokenKept: null })).toBeNull()
  expect(presentArrived({ ...row, status: 'broadcast' })).toBeNull()
  expect(presentArrived({ ...row, tokenKept: [], claimableSequence: 7n })).toBeNull()
})
