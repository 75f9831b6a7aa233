import type { Tone } from '../../ui/Badge.tsx'
import type { Stake, StakeStatus } from './types.ts'

export const stakeStatusWords: Record<StakeStatus, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  unstaking: { label: 'Unstaked', tone: 'wait' },
  withdrawn: { label: 'Withdrawn', tone: 'plain' },
}

type Known = Pick<Stake, 'status' | 'reason' | 'confirmedAt' | 'rewardsPending'>

/** More than its state says; null: nothing. */
export function stakeNote({ status, reason, confirmedAt, rewardsPending }: Known): string | null {
  if (reason !== null) return 'Nothing was staked'
  if (rewardsPending) return 'Its rewards follow'
  if (status === 'active' && confirmedAt === null) return 'Not confirmed yet'
  return null
}
