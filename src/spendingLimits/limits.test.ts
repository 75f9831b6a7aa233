import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatUnits } from '../money/amount.ts'
import {
  type AmountLimit,
  exceeded,
  loosens,
  needsApproval,
  type SendLimits,
  unlimited,
  type Wanted,
} from './limits.ts'

const usdc = { chain: 'ethereum', token: 'usdc', decimals: 6, to: '0xaa', memo: null } as const
const wanted = (amount: bigint, more: Partial<Wanted> = {}): Wanted => ({ ...usdc, amount, ...more })
const limit = (of: Partial<AmountLimit>): AmountLimit => ({
  chain: 'ethereum',
  token: 'usdc',
  perTransfer: null,
  perDay: null,
  approvalAbove: null,
  ...of,
})
const list = (of: Partial<AmountLimit>) => [limit(of)]
const amounts = (of: Partial<AmountLimit>) => ({ ...unlimited, amounts: list(of) })

describe('a transfer is held to its limits', () => {
  test('exactly: the limit is allowed, one base unit more is not', () => {
    const of = amounts({ perTransfer: '1.000001', perDay: '2' })
    expect(exceeded(of, wanted(1_000_001n), 0n)).toBeNull()
    expect(exceeded(of, wanted(1_000_002n), 0n)).toEqual({ field: 'amount', limit: 'perTransfer' })
    expect(exceeded(of, wanted(1_000_000n), 1_000_000n)).toBeNull()
    expect(exceeded(of, wanted(1_000_000n), 1_000_001n)).toEqual({ field: 'amount', limit: 'perDay' })
    expect([
      needsApproval(amounts({ approvalAbove: '1' }), wanted(1_000_000n)),
      needsApproval(amounts({ approvalAbove: '1' }), wanted(1_000_001n)),
    ]).toEqual([false, true])
  })

  test('only listed tokens and destinations are sent to; without a list all are', () => {
    expect(exceeded(amounts({}), wanted(1n, { token: 'usdt' }), 0n)).toEqual({
      field: 'token',
      limit: 'tokens',
    })
    expect(exceeded(amounts({}), wanted(1n, { chain: 'base' }), 0n)).toEqual({
      field: 'token',
      limit: 'tokens',
    })
    expect(exceeded(unlimited, wanted(10n ** 40n), 10n ** 40n)).toBeNull()
    const destinations = [{ chain: 'ethereum', address: '0xaa' }]
    expect(exceeded({ ...unlimited, destinations }, wanted(1n), 0n)).toBeNull()
    expect(exceeded({ ...unlimited, destinations }, wanted(1n, { to: '0xab' }), 0n)).toEqual({
      field: 'toAddress',
      limit: 'destinations',
    })
    expect(exceeded({ ...unlimited, destinations }, wanted(1n, { chain: 'base' }), 0n)?.limit).toBe(
      'destinations',
    )
    expect(exceeded({ ...unlimited, destinations: [] }, wanted(1n), 0n)?.limit).toBe('destinations')
  })

  test('a destination with a memo receives nothing without it, or with another one', () => {
    const exchange = { chain: 'stellar', address: 'GA' }
    const to = (destinations: SendLimits['destinations'], memo: Wanted['memo'], address = 'GA') =>
      exceeded({ ...unlimited, destinations }, wanted(1n, { chain: 'stellar', to: address, memo }), 0n)
    const own = [{ ...exchange, memo: '42', memoType: 'id' as const }]
    expect(to(own, { type: 'id', value: '42' })).toBeNull()
    for (const memo of [null, { type: 'id', value: '43' }, { type: 'text', value: '42' }] as const)
      expect(to(own, memo)).toEqual({ field: 'memo', limit: 'destinations' })
    expect(to(own, { type: 'id', value: '42' }, 'GB')).toEqual({ field: 'toAddress', limit: 'destinations' })
    // Two memos of one address; and a destination without a memo, which accepts any.
    expect(to([...own, { ...exchange, memo: '43', memoType: 'id' }], { type: 'id', value: '43' })).toBeNull()
    expect(to([exchange], { type: 'id', value: '43' })).toBeNull()
    const listed = (destinations: SendLimits['destinations']) => ({ ...unlimited, destinations })
    expect(loosens(listed(own), listed([exchange]))).toBe(true)
    expect(loosens(listed(own), listed([{ ...exchange, memo: '42', memoType: 'text' }]))).toBe(true)
    expect(loosens(listed([exchange]), listed(own))).toBe(false)
  })

  test('a limit with more decimals than the token has now blocks every transfer', () => {
    expect(exceeded(amounts({ perTransfer: '0.0000001' }), wanted(1n), 0n)?.limit).toBe('perTransfer')
  })
})

test('random transfers never exceed a limit, separately or together', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 24n })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 18 }),
      units,
      units,
      fc.array(fc.bigInt({ min: 1n, max: 10n ** 24n }), { maxLength: 40 }),
      (decimals, one, day, asked) => {
        const of = amounts({ perTransfer: formatUnits(one, decimals), perDay: formatUnits(day, decimals) })
        let sent = 0n
        for (const amount of asked) {
          const isOver = exceeded(of, wanted(amount, { decimals }), sent) !== null
          // Everything that fits is allowed.
          expect(isOver).toBe(amount > one || sent + amount > day)
          if (!isOver) sent += amount
        }
        expect(sent <= day).toBe(true)
      },
    ),
  )
})

describe('limits that are loosened', () => {
  const bound = fc.option(fc.integer({ min: 0, max: 4 }).map(String))
  const token = fc.constantFrom('native', 'usdc') as fc.Arbitrary<'native' | 'usdc'>
  const amountLimit = fc.record({
    chain: fc.constant('ethereum'),
    token,
    perTransfer: bound,
    perDay: bound,
    approvalAbove: bound,
  })
  const memo = fc.constantFrom(
    {},
    { memo: '1', memoType: 'id' as const },
    { memo: '1', memoType: 'text' as const },
  )
  const place = fc
    .tuple(fc.constantFrom('0xaa', '0xab'), memo)
    .map(([address, more]) => ({ chain: 'ethereum', address, ...more }))
  const some: fc.Arbitrary<SendLimits> = fc.record({
    amounts: fc.option(fc.uniqueArray(amountLimit, { selector: (each) => each.token, maxLength: 2 })),
    destinations: fc.option(fc.array(place, { maxLength: 2 })),
  })

  test('are detected: otherwise nothing more can be sent, and nothing more without an approval', () => {
    const ask = fc.record({
      token,
      amount: fc.bigInt({ min: 1n, max: 6n }),
      to: fc.constantFrom('0xaa', '0xab'),
      memo: fc.constantFrom(null, { type: 'id' as const, value: '1' }),
    })
    fc.assert(
      fc.property(some, some, ask, fc.bigInt({ min: 0n, max: 6n }), (before, after, asked, sent) => {
        const transfer = wanted(asked.amount * 10n ** 6n, { ...asked, amount: asked.amount * 10n ** 6n })
        const goes = (limits: SendLimits) => exceeded(limits, transfer, sent * 10n ** 6n) === null
        const alone = (limits: SendLimits) => goes(limits) && !needsApproval(limits, transfer)
        if (!loosens(before, after))
          expect((!goes(after) || goes(before)) && (!alone(after) || alone(before))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('exclude the same limits, lower ones, fewer tokens and fewer destinations: these need no second owner', () => {
    fc.assert(fc.property(some, (limits) => expect(loosens(limits, limits)).toBe(false)))
    const had: SendLimits = {
      ...amounts({ perTransfer: '10', perDay: null, approvalAbove: '2.5' }),
      destinations: [{ chain: 'ethereum', address: '0xaa' }],
    }
    expect(
      loosens(had, { ...had, amounts: list({ perTransfer: '9.99', perDay: '1', approvalAbove: '2.50' }) }),
    ).toBe(false)
    expect(loosens(had, { amounts: [], destinations: [] })).toBe(false)
    expect(loosens(had, { ...had, amounts: list({ perTransfer: '10', approvalAbove: '2.500001' }) })).toBe(
      true,
    )
    expect(loosens(had, { ...had, amounts: list({ perTransfer: '10' }) })).toBe(true)
    expect(loosens(unlimited, had)).toBe(false)
  })
})
