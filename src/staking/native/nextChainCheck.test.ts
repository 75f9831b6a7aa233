import { describe, expect, test } from '@jest/globals'
import type { StakeAccount, StakeReading } from '../../chains/staking.ts'
import { nextChainCheck } from './nextChainCheck.ts'

describe('a stake is read again', () => {
  const now = Date.parse('2026-12-01T00:00:00Z')
  const [minute, hour] = [60_000, 3_600_000]
  const account: StakeAccount = {
    ...{
      account: 'a',
      lamports: 1n,
      staker: 'w',
      withdrawer: 'w',
      validator: 'v',
      delegated: 1n,
      state: 'active',
    },
    ...{ effective: 1n, activating: 0n, deactivating: 0n, withdrawableAt: null },
  }
  const look = (more: Partial<StakeReading>): StakeReading => ({
    account,
    slot: 1,
    epochEndsAt: new Date(now + 5 * hour),
    paysRewards: false,
    ...more,
  })

  test('when the epoch ends, and not all at once; once a day in a longer one', () => {
    expect([nextChainCheck(look({}), now, 0), nextChainCheck(look({}), now, 1)]).toEqual([
      5 * hour,
      5 * hour + 10 * minute,
    ])
    expect(nextChainCheck(look({ account: { ...account, state: 'inactive' } }), now, 0)).toBe(5 * hour)
    expect(nextChainCheck(look({ epochEndsAt: new Date(now + 50 * hour) }), now, 0)).toBe(24 * hour)
    expect(nextChainCheck(look({ epochEndsAt: new Date(now - hour) }), now, 0)).toBe(minute)
  })

  test('when it can be withdrawn, while rewards are paid, and when an account is missing', () => {
    const cooling = { ...account, state: 'deactivating', withdrawableAt: new Date(now + 2 * hour) } as const
    expect(nextChainCheck(look({ account: cooling }), now, 1)).toBe(2 * hour)
    expect(nextChainCheck(look({ paysRewards: true }), now, 1)).toBe(5 * minute)
    expect(nextChainCheck(look({ account: null }), now, 1)).toBe(hour)
  })
})
