import { expect, test } from '@jest/globals'
import { placesOf, tokenMovesOf } from './tokenMoves.ts'

const held = (owner: string, amount: string, mint = 'usdc') => ({ owner, mint, uiTokenAmount: { amount } })

test('by how much each owner has more than before, over all its accounts', () => {
  const preTokenBalances = [held('a', '100'), held('b', '5'), held('b', '1')]
  const postTokenBalances = [held('a', '60'), held('b', '36'), held('b', '9'), held('c', '1', 'other')]
  expect(tokenMovesOf({ preTokenBalances, postTokenBalances })).toEqual([
    { contract: 'usdc', to: 'b', amount: 39n },
    { contract: 'other', to: 'c', amount: 1n },
  ])
  expect(tokenMovesOf({ preTokenBalances: [held('a', '1')], postTokenBalances: [] })).toEqual([])
})

test.each([
  ['no lists', undefined],
  ['no owners', [{ mint: 'usdc', uiTokenAmount: { amount: '1' } }]],
  ['no amounts', [{ owner: 'a', mint: 'usdc' }]],
  ['texts that are no numbers', [held('a', '1e3')]],
  ['nothing in place of an entry', [null]],
  ['no balance at all', []],
])('not known where a node answers %s', (_what, list) => {
  expect(tokenMovesOf({ preTokenBalances: list, postTokenBalances: list })).toBeNull()
})

test('places of the token accounts of an owner for a mint', () => {
  const at = (accountIndex: unknown, mint: string, owner: string) => ({ accountIndex, mint, owner })
  expect(
    placesOf(
      [at(3, 'sol', 'a'), at(4, 'sol', 'b'), at(5, 'usdc', 'a'), at('6', 'sol', 'a'), null],
      'sol',
      'a',
    ),
  ).toEqual([3])
  expect(placesOf(undefined, 'sol', 'a')).toEqual([])
})
