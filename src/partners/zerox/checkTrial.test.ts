import { describe, expect, test } from '@jest/globals'
import type { TrialApproval, TrialCall, TrialMovement, TrialResult } from '../../chains/swapping.ts'
import { coinPlaceholder as coin } from '../../swaps/coins.ts'
import type { SwapQuestion } from '../../swaps/provider.ts'
import { checkTrial, watchedOf } from './checkTrial.ts'
import { allowanceHolder } from './contracts.ts'

const [from, to, sold, bought, other, settler] = ['1', '2', '3', '4', '5', '6'].map(
  (digit) => `0x${digit.repeat(40)}`,
) as [string, string, string, string, string, string]
const tokens: SwapQuestion = {
  network: '1',
  sellToken: sold,
  buyToken: bought,
  sellAmount: 100n,
  slippageBps: 50,
  from,
  to,
}

const call = (movements: TrialMovement[], approvals: TrialApproval[] = []): TrialCall => ({
  failure: null,
  gasUsed: 1n,
  movements,
  approvals,
})
const move = (
  token: string | null,
  amount: bigint | null,
  sender = from,
  recipient = other,
): TrialMovement => ({
  token,
  from: sender,
  to: recipient,
  amount,
})
const allow = (spender: string, token = sold, owner = from): TrialApproval => ({ token, owner, spender })
const good = (): TrialResult => ({
  calls: [
    call([], [allow(allowanceHolder)]),
    call([move(sold, 100n), move(bought, 90n, other, to)], [allow(allowanceHolder)]),
  ],
  changes: [-100n, 90n],
})
const check = (result: TrialResult, question = tokens) => checkTrial(question, 90n, [settler], result)

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

describe('a recipient that gets less than the minimum', () => {
  const of = (paid: bigint, gets: bigint, fee: bigint): TrialResult => ({
    calls: [
      call([
        move(sold, 100n),
        move(bought, paid, settler, to),
        ...(fee > 0n ? [move(bought, fee, settler, other)] : []),
      ]),
    ],
    changes: [-100n, gets],
  })
  test.each([
    ['the log is of what was paid', of(90n, 89n, 0n)],
    ['the part has a log of its own', of(89n, 89n, 1n)],
  ])('is the fault of a token that keeps a part, where a Settler paid it: %s', (_, result) => {
    expect(() => check(result)).toThrow(expect.objectContaining({ problem: 'token_not_supported' }))
  })
  test('is unsafe where the Settler paid less', () => {
    expect(() => check(of(89n, 89n, 0n))).toThrow(expect.objectContaining({ problem: 'unsafe_answer' }))
  })
})

describe('the coin', () => {
  const selling = { ...tokens, sellToken: coin }
  const buying = { ...tokens, buyToken: coin }
  test('may be sold, and no more of it', () => {
    const of = (amount: bigint) => ({
      calls: [call([move(null, amount), move(bought, 90n, other, to)])],
      changes: [90n],
    })
    expect(() => check(of(100n), selling)).not.toThrow()
    expect(() => check(of(101n), selling)).toThrow('more than is sold')
  })
  const arriving = (amount: bigint, by: string, back: bigint) => ({
    calls: [call([move(sold, 100n), move(null, amount, other, by), move(null, back, by, other)])],
    changes: [-100n],
  })
  test('that is bought is what arrives: a recipient may pass it on', () => {
    expect(() => check(arriving(90n, to, 90n), buying)).not.toThrow()
    expect(() => check(arriving(89n, to, 0n), buying)).toThrow('less than the minimum')
  })
  test('that is bought for oneself must stay', () => {
    const own = { ...buying, to: from }
    expect(() => check(arriving(90n, from, 0n), own)).not.toThrow()
    expect(() => check(arriving(90n, from, 1n), own)).toThrow('lose something else')
  })
})
