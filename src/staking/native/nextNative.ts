import { type StakeAccount, stakeRewards } from '../../chains/staking.ts'
import type { Stake, StakeStatus } from '../storedStake.ts'
import { hasFailed, isOpen, type StakeMove } from './stakeMoves.ts'

/** The chain's account of a stake; null: it does not exist; undefined: it was not read. */
export type Observed = StakeAccount | null | undefined

/** What a native stake becomes. */
export interface NativeState {
  status: StakeStatus
  /** A withdrawal is under way, or done. */
  isRequested: boolean
  rewards: bigint
  /** The chain's answer, or what was known before. */
  chainState: Stake['chainState']
  withdrawableAt: Date | null
}

type Before = Pick<Stake, 'amount' | 'rent' | 'rewards' | 'chainState' | 'withdrawableAt'>

const isDeactivated = (state: Stake['chainState']): boolean =>
  state === 'deactivating' || state === 'inactive'
const ofKind = (moves: readonly StakeMove[], kind: StakeMove['kind']) =>
  moves.filter((move) => move.kind === kind && !hasFailed(move))

/**
 * A native stake follows from its transactions and its account: one that failed or expired leaves it as
 * before. What another tool has deactivated is unstaked as well, and what another tool has delegated again is
 * active again.
 * @param account neither read while a transaction is open, nor behind
 * @param isGone its account does not exist any more, for longer than nodes are behind
 */
export function nextNative(
  before: Before,
  moves: readonly StakeMove[],
  account: Observed,
  isGone: boolean,
): NativeState {
  const withdrawals = ofKind(moves, 'withdrawal')
  const paid = withdrawals.find(({ status }) => status === 'confirmed')
  const opened = { amount: before.amount, rent: before.rent ?? 0n }
  const isUnstaked = ofKind(moves, 'unstake').length > 0
  const chainState = account?.state ?? before.chainState
  const known = account ? stakeRewards(account, opened) : (before.rewards ?? 0n)
  return {
    status: statusOf(paid !== undefined || isGone, isDeactivated(chainState) || (!account && isUnstaked)),
    isRequested: withdrawals.length > 0,
    rewards: paid ? stakeRewards({ lamports: paid.amount ?? 0n }, opened) : known,
    chainState: paid || isGone ? null : chainState,
    withdrawableAt: account ? account.withdrawableAt : withdrawableOf(before, isUnstaked),
  }
}

const statusOf = (isPaid: boolean, isUnstaked: boolean): StakeStatus => {
  if (isPaid) return 'withdrawn'
  return isUnstaked ? 'unstaking' : 'active'
}

/** The estimate of an unstaking that failed is void. */
const withdrawableOf = ({ withdrawableAt, chainState }: Before, isUnstaked: boolean): Date | null =>
  isUnstaked || isDeactivated(chainState) ? withdrawableAt : null

/** Checks if nothing of the stake is under way, so that its account matches its row. */
export const canBeRead = (
  { status, confirmedAt }: Pick<Stake, 'status' | 'confirmedAt'>,
  moves: readonly StakeMove[],
): boolean =>
  status !== 'withdrawn' &&
  confirmedAt !== null &&
  !moves.some((move) => isOpen(move) || (move.kind === 'withdrawal' && !hasFailed(move)))
