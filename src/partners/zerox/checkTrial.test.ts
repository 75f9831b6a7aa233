import { describe, expect, test } from '@jest/globals'
import type { TrialApproval, TrialCall, TrialMovement, TrialResult } from '../../chains/swapping.ts'
import { coinPlaceholder as coin } from '../../swaps/coins.ts'
import type { SwapQuestion } from '../../swaps/provider.ts'
import { checkTrial, watchedOf } from './checkTrial.ts'
import { allowanceHolder } from './contracts.ts'

const [from, to, sold, bought, other] = ['1', '2', '3', '4', '5'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string, string, string]
const tokens: SwapQuestion = { network: '1', sellToken: sold, buyToken: bought, sellAmount: 100n, slippageBps: 50, from, to }

const call = (movements: TrialMovement[], approvals: TrialApproval[] = []): TrialCall => ({ failure: null, gasUsed: 1n, movements, approvals })
const move = (token: string | null, amount: bigint | null, sender = from, recipient = other): TrialMovement => ({
  token,
  from: sender,
  to: recipient,
  amount,
})
const allow = (spender: string, token = sold, owner = from): TrialApproval => ({ token, owner, spender })
const good = (): TrialResult => ({
  calls: [call([], [allow(allowanceHolder)]), call([move(sold, 100n), move(bought, 90n, other, to)], [allow(allowanceHolder)])],
  changes: [-100n, 90n],
})
const check = (result: TrialResult, question = tokens) => checkTrial(question, 90n, result)

test('a swap that brings the minimum is sound; so is one by a token that logs the allowance that is left', () => {
  expect(() => check(good())).not.toThrow()
  expect(watchedOf(tokens)).toEqual([
    { token: sold, owner: from },
    { token: bought, owner: to },
  ])
})

describe('unsafe is', () => {
  const more = (movements: TrialMovement[], approvals: TrialApproval[] = []): TrialResult => ({
    ...good(),
    calls: [...good().calls, call(movements, approvals)],
  })
  test.each<[string, TrialResult]>([
    ['another token of the sender', more([move(other, 1n)])],
    ['a token of ERC-721 or ERC-1155', more([move(other, null)])],
    ['a token of ERC-721 by the contract of what is sold', more([move(sold, null)])],
    ['the coin', more([move(null, 1n)])],
    ['more of what is sold, by the logs', more([move(sold, 1n)])],
    ['more of what is sold, by the balance', { ...good(), changes: [-101n, 90n] }],
    ['less than the minimum, by the balance', { ...good(), changes: [-100n, 89n] }],
    ['an allowance for another spender', more([], [allow(other)])],
    ['an allowance of another token', more([], [allow(allowanceHolder, other)])],
  ])('%s', (_, result) => {
    expect(() => check(result)).toThrow(expect.objectContaining({ problem: 'unsafe_answer' }))
  })

  test.each<[string, TrialResult]>([
    ['what others move', more([move(other, 1n, other, to)])],
    ['a transfer of nothing', more([move(other, 0n)])],
    ['an allowance of others', more([], [allow(other, other, to)])],
  ])('not %s', (_, result) => {
    expect(() => check(result)).not.toThrow()
  })
})

describe('the coin', () => {
  const selling = { ...tokens, sellToken: coin }
  const buying = { ...tokens, buyToken: coin }
  test('may be sold, and no more of it', () => {
    const of = (amount: bigint) => ({ calls: [call([move(null, amount), move(bought, 90n, other, to)])], changes: [90n] })
    expect(() => check(of(100n), selling)).not.toThrow()
    expect(() => check(of(101n), selling)).toThrow('more than is sold')
  })
  test('that is bought is what arrives, less what leaves again', () => {
    const of = (back: bigint) => ({
      calls: [call([move(sold, 100n), move(null, 95n, other, to), move(null, back, to, other)])],
      changes: [-100n],
    })
    expect(() => check(of(5n), buying)).not.toThrow()
    expect(() => check(of(6n), buying)).toThrow('less than the minimum')
  })
})
