import type { Stake } from '../storedStake.ts'
import { hasFailed, type StakeMove } from './stakeMoves.ts'

/** The stake that a transaction opened, as far as its parts follow from it. */
export type NativeRoot = Pick<Stake, 'id' | 'stakedAmount' | 'confirmedAt' | 'reason'>

/** What a part has, by the splits that have not failed. */
export type NativePart = Pick<Stake, 'amount' | 'confirmedAt' | 'reason'>

/**
 * The parts of a native stake, by id. A split that failed, or whose stake was not staked, moves nothing: its
 * rest ends with the reason, and all that was split off that rest with it. Amounts follow from the root at
 * each change, so that no order of failures, forks and late successes adds or loses anything: the parts that
 * have not ended always have what the root has staked.
 * @param moves of all parts
 */
export function partsOf(root: NativeRoot, moves: readonly StakeMove[]): Map<string, NativePart> {
  const splits = Map.groupBy(moves, ({ stakeId }) => stakeId)
  const parts = new Map<string, NativePart>([
    [root.id, { amount: root.stakedAmount, confirmedAt: root.confirmedAt, reason: root.reason }],
  ])
  // A map iterates over what is added meanwhile: each rest follows its stake.
  for (const [id, part] of parts) {
    for (const move of splits.get(id) ?? []) {
      if (move.restId === null || move.restAmount === null) continue
      const failure = hasFailed(move) ? (move.reason ?? move.status) : null
      if (failure === null) part.amount -= move.restAmount
      const reason = part.reason ?? failure
      const isConfirmed = reason === null && move.status === 'confirmed'
      parts.set(move.restId, {
        amount: move.restAmount,
        confirmedAt: isConfirmed ? part.confirmedAt : null,
        reason,
      })
    }
  }
  return parts
}
