import { expect, test } from '@jest/globals'
import { stakeNote } from './stakeLabels.ts'

test('a stake that waits, or of which nothing came, reports it', () => {
  const known = {
    status: 'active',
    reason: null,
    confirmedAt: '2026-01-01T00:00:00Z',
    rewardsPending: false,
  } as const
  const stake = { ...known, type: 'pooled', chainState: null, transactionStatus: 'confirmed' } as const
  expect(stakeNote(stake)).toBeNull()
  expect(stakeNote({ ...stake, confirmedAt: null })).toBe('Not confirmed yet')
  expect(stakeNote({ ...stake, status: 'withdrawn', reason: 'reverted' })).toBe('Nothing was staked')
  expect(stakeNote({ ...stake, status: 'withdrawn', rewardsPending: true })).toBe('Its rewards follow')
})

test('a native stake shows its state on the chain; a rest that was not split off, where its money is', () => {
  const known = {
    status: 'active',
    reason: null,
    confirmedAt: '2026-01-01T00:00:00Z',
    rewardsPending: false,
  } as const
  const stake = {
    ...known,
    type: 'native',
    chainState: 'activating',
    transactionStatus: 'confirmed',
  } as const
  expect(stakeNote(stake)).toBe('Warms up until the epoch ends')
  expect(stakeNote({ ...stake, status: 'unstaking', chainState: 'inactive' })).toBe('Can be withdrawn')
  expect(stakeNote({ ...stake, status: 'withdrawn' })).toBeNull()
  expect(stakeNote({ ...stake, status: 'withdrawn', reason: 'expired' })).toBe(
    'Not split off: the other stake has it',
  )
  expect(stakeNote({ ...stake, status: 'withdrawn', reason: 'expired', transactionStatus: 'expired' })).toBe(
    'Nothing was staked',
  )
})
