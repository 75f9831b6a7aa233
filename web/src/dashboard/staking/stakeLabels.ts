import type { Tone } from '../../ui/Badge.tsx'
import type { Stake, StakeStatus } from './types.ts'

export const stakeStatusLabels: Record<StakeStatus, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  unstaking: { label: 'Unstaked', tone: 'wait' },
  withdrawn: { label: 'Withdrawn', tone: 'plain' },
}

/** Native stakes: what the account is on the chain. */
export const chainStateLabels: Record<NonNullable<Stake['chainState']>, string> = {
  undelegated: 'Not delegated',
  activating: 'Warms up until the epoch ends',
  active: 'Earns rewards',
  deactivating: 'Cools down until the epoch ends',
  inactive: 'Can be withdrawn',
}

export const stakeTypeLabels: Record<Stake['type'], string> = { pooled: 'Pooled', native: 'Native' }

/** Of the transaction that staked. */
export const transactionLabels: Record<Stake['transactionStatus'], string> = {
  pending: 'Pending',
  confirmed: 'Confirmed',
  failed: 'Failed',
  expired: 'Expired',
}

type Known = Pick<
  Stake,
  'type' | 'status' | 'reason' | 'confirmedAt' | 'rewardsPending' | 'chainState' | 'transactionStatus'
>

/** Details beyond its state; null: nothing. */
export function stakeNote({
  type,
  status,
  reason,
  confirmedAt,
  rewardsPending,
  chainState,
  transactionStatus,
}: Known): string | null {
  // The transaction that staked is confirmed: this is a rest, and the one that splits it off failed.
  if (reason !== null)
    return type === 'native' && transactionStatus === 'confirmed'
      ? 'Not split off: the other stake has it'
      : 'Nothing was staked'
  if (rewardsPending) return 'Its rewards follow'
  if (status === 'active' && confirmedAt === null) return 'Not confirmed yet'
  return chainState !== null && status !== 'withdrawn' ? chainStateLabels[chainState] : null
}
