import { describe, expect, test } from '@jest/globals'
import { ProviderError } from '../../chain.ts'
import type { Account } from '../chainState.ts'
import { readSysvars, startOf } from './sysvars.ts'

const owner = 'Sysvar1111111111111111111111111111111111111'
const account = (data: Buffer, of = owner): Account => ({ owner: of, lamports: 1n, executable: false, data })
const u64 = (...values: (bigint | number)[]) => Buffer.from(BigUint64Array.from(values.map(BigInt)).buffer)

/** Slot 864,500 of epoch 2, which started 200 s ago, on a chain with epochs of 432,000 slots. */
const clock = u64(864_500, 1_000_000, 2, 3, 1_000_200)
/** As the runtime stores one record (`SysvarStakeHistory1111111111111111111111111`). */
const history = Buffer.from(
  '010000000000000000000000000000000000c16ff286230000943577000000000000000000000000',
  'hex',
)
const schedule = Buffer.concat([u64(432_000, 432_000), Buffer.alloc(1), u64(0, 0)])
const rewards = (active: number) => Buffer.concat([Buffer.alloc(80), Buffer.from([active])])
const accounts = (changed: Record<number, Account | null> = {}): (Account | null)[] =>
  [account(clock), account(history), account(schedule), account(rewards(0))].map((each, index) =>
    index in changed ? (changed[index] ?? null) : each,
  )

describe('the time of the chain', () => {
  test('is read from its accounts', () => {
    const time = readSysvars('node', accounts())
    expect(time).toMatchObject({
      slot: 864_500n,
      epoch: 2n,
      now: 1_000_200n,
      epochStarted: 1_000_000n,
      paysRewards: false,
    })
    expect([...time.history]).toEqual([
      [0n, { effective: 10n ** 16n, activating: 2_000_000_000n, deactivating: 0n }],
    ])
    expect(readSysvars('node', accounts({ 3: account(rewards(1)) })).paysRewards).toBe(true)
  })

  test.each([
    ['a missing account', { 1: null }],
    ['an account of another program', { 0: account(clock, '11111111111111111111111111111111') }],
    ['an account that is too short', { 2: account(schedule.subarray(0, 32)) }],
    ['a history that is shorter than its length', { 1: account(history.subarray(0, 39)) }],
  ])('is not read from %s', (_, changed) => {
    expect(() => readSysvars('node', accounts(changed))).toThrow(ProviderError)
  })
})

describe('the estimate of the start of an epoch', () => {
  const msOf = (slots: number, ms: number) => 1_000_200_000 + slots * ms

  test('takes the planned time of a slot early in an epoch, and the average later', () => {
    expect(startOf(readSysvars('node', accounts()), 3n).getTime()).toBe(msOf(431_500, 400))
    const later = u64(865_000, 1_000_000, 2, 3, 1_000_200 + 300)
    expect(startOf(readSysvars('node', accounts({ 0: account(later) })), 3n).getTime()).toBe(
      1_000_500_000 + 431_000 * 500,
    )
  })

  test('is now for an epoch that has started, and trusts no absurd slot', () => {
    expect(startOf(readSysvars('node', accounts()), 2n).getTime()).toBe(1_000_200_000)
    const absurd = u64(865_000, 1_000_000, 2, 3, 9_000_000)
    expect(startOf(readSysvars('node', accounts({ 0: account(absurd) })), 3n).getTime()).toBe(
      9_000_000_000 + 431_000 * 1000,
    )
  })

  test('counts from the first normal epoch of a chain with warm-up', () => {
    const warmup = Buffer.concat([u64(432_000, 432_000), Buffer.from([1]), u64(2, 864_400)])
    expect(startOf(readSysvars('node', accounts({ 2: account(warmup) })), 3n).getTime()).toBe(
      msOf(431_900, 400),
    )
  })
})
