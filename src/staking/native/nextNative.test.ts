import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../../test/support/full.ts'
import type { StakeAccount } from '../../chains/staking.ts'
import { canBeRead, nextNative } from './nextNative.ts'
import type { StakeMove } from './stakeMoves.ts'

const [sol, rent] = [1_000_000_000n, 2_282_880n]
const before = { amount: 3n * sol, rent, rewards: 7n, chainState: 'active', withdrawableAt: null } as const
const at = new Date('2026-12-01T00:00:00Z')

const move = (
  kind: StakeMove['kind'],
  status: StakeMove['status'],
  more: Partial<StakeMove> = {},
): StakeMove => ({
  ...{
    intentId: 'i',
    stakeId: 's',
    kind,
    restId: null,
    restAmount: null,
    status,
    reason: null,
    blockHeight: null,
  },
  amount: kind === 'withdrawal' ? 3n * sol + rent + 11n : null,
  ...more,
})
const account = (state: StakeAccount['state'], lamports = 3n * sol + rent + 9n): StakeAccount => ({
  ...{ account: 'a', lamports, staker: 'w', withdrawer: 'w', validator: 'v', delegated: 3n * sol, state },
  ...{
    effective: 0n,
    activating: 0n,
    deactivating: 0n,
    withdrawableAt: state === 'deactivating' ? at : null,
  },
})

describe('a native stake', () => {
  test('keeps what is known while its account is not read', () => {
    expect(nextNative(before, [], undefined, false)).toEqual({
      status: 'active',
      isRequested: false,
      rewards: 7n,
      chainState: 'active',
      withdrawableAt: null,
    })
  })

  test('has the state and the rewards of its account', () => {
    expect(nextNative(before, [], account('activating'), false)).toMatchObject({
      status: 'active',
      chainState: 'activating',
      rewards: 9n,
    })
    const cooling = nextNative(before, [move('unstake', 'confirmed')], account('deactivating'), false)
    expect(cooling).toMatchObject({ status: 'unstaking', chainState: 'deactivating', withdrawableAt: at })
  })

  test('is as before where a transaction failed or expired, and unstaking while its outcome is unknown', () => {
    const estimated = { ...before, withdrawableAt: at }
    for (const status of ['failed', 'expired'] as const)
      expect(nextNative(estimated, [move('unstake', status)], undefined, false)).toMatchObject({
        status: 'active',
        withdrawableAt: null,
      })
    for (const status of ['created', 'signed', 'broadcast', 'unknown', 'confirmed'] as const)
      expect(nextNative(estimated, [move('unstake', status)], undefined, false)).toMatchObject({
        status: 'unstaking',
        withdrawableAt: at,
      })
    const unstaked = [move('unstake', 'confirmed')]
    expect(nextNative(before, [...unstaked, move('withdrawal', 'expired')], undefined, false)).toMatchObject({
      status: 'unstaking',
      isRequested: false,
    })
    expect(nextNative(before, [...unstaked, move('withdrawal', 'unknown')], undefined, false)).toMatchObject({
      status: 'unstaking',
      isRequested: true,
    })
  })

  test('is unstaked where another tool has deactivated it, and withdrawn where its account is gone for long', () => {
    expect(nextNative(before, [], account('inactive'), false).status).toBe('unstaking')
    expect(nextNative(before, [], null, false)).toMatchObject({ status: 'active', rewards: 7n })
    expect(nextNative(before, [], null, true)).toMatchObject({ status: 'withdrawn', rewards: 7n })
  })

  test('that its owner delegates again with another tool is active, until it is unstaked once more', () => {
    const unstaked = [move('unstake', 'confirmed')]
    expect(nextNative(before, unstaked, account('activating'), false)).toMatchObject({
      status: 'active',
      chainState: 'activating',
    })
    expect(nextNative(before, [...unstaked, move('unstake', 'broadcast')], undefined, false).status).toBe(
      'unstaking',
    )
    expect(
      nextNative(before, [...unstaked, move('unstake', 'confirmed')], account('deactivating'), false).status,
    ).toBe('unstaking')
  })

  test('is withdrawn with what the payment took from its account, to the lamport', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n }),
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        (amount, earned) => {
          const paid = move('withdrawal', 'confirmed', { amount: amount + rent + earned })
          const next = nextNative(
            { ...before, amount },
            [move('unstake', 'confirmed'), paid],
            undefined,
            false,
          )
          expect(next).toMatchObject({
            status: 'withdrawn',
            isRequested: true,
            rewards: earned,
            chainState: null,
          })
          expect(amount + rent + next.rewards).toBe(paid.amount)
        },
      ),
      { numRuns: howMany(100, 5000) },
    )
  })
})

describe('its account', () => {
  const confirmed = { status: 'active', confirmedAt: at } as const
  test('is not read while a transaction is open, before it is confirmed, and once it is withdrawn', () => {
    expect(canBeRead(confirmed, [move('unstake', 'confirmed'), move('withdrawal', 'failed')])).toBe(true)
    expect(canBeRead({ ...confirmed, confirmedAt: null }, [])).toBe(false)
    expect(canBeRead({ ...confirmed, status: 'withdrawn' }, [])).toBe(false)
    for (const open of [
      move('unstake', 'unknown'),
      move('unstake', 'signed'),
      move('withdrawal', 'confirmed'),
    ])
      expect(canBeRead(confirmed, [open])).toBe(false)
  })
})
