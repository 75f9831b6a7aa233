import { expect, test } from '@jest/globals'
import { stakeNote } from './stakeWords.ts'

test('a stake that waits, or of which nothing came, says so', () => {
  const stake = { status: 'active', reason: null, confirmedAt: '2026-01-01T00:00:00Z', rewardsPending: false } as const
  expect(stakeNote(stake)).toBeNull()
  expect(stakeNote({ ...stake, confirmedAt: null })).toBe('Not confirmed yet')
  expect(stakeNote({ ...stake, status: 'withdrawn', reason: 'reverted' })).toBe('Nothing was staked')
  expect(stakeNote({ ...stake, status: 'withdrawn', rewardsPending: true })).toBe('Its rewards follow')
})
