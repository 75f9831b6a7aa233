import type { Tx } from '../../platform/database/db.ts'
import { announce } from '../announce.ts'
import type { Stake, StakeStatus } from '../storedStake.ts'
import { nextNative, type Observed } from './nextNative.ts'
import { hasFailed, isOpen, type StakeMove } from './stakeMoves.ts'

/**
 * Stores the present state of a native stake. @param stake a part that is confirmed; the caller has locked
 * all parts of its root
 */
export async function settleNative(
  tx: Tx,
  stake: Stake,
  moves: readonly StakeMove[],
  account: Observed,
): Promise<void> {
  const { id } = stake
  const isMissing = await noteMissing(tx, id, account === undefined ? null : account === null)
  const isGone = isMissing && (account === null || stake.status === 'withdrawn')
  const next = nextNative(stake, moves, account, isGone)
  await tx.query(
    `update stakes set status = $2, rewards = $3, chain_state = $4, withdrawable_at = $5, updated_at = now(),
       unstaked_at = case when $2::text = 'active' then null else coalesce(unstaked_at, now()) end,
       penalty = case when $2::text = 'active' then null else 0 end,
       withdraw_requested_at = case when $6::boolean then coalesce(withdraw_requested_at, now()) end,
       withdrawn_at = case when $2::text = 'withdrawn' then coalesce(withdrawn_at, now()) end
     where id = $1`,
    [id, next.status, String(next.rewards), next.chainState, next.withdrawableAt, next.isRequested],
  )
  await announce(tx, stake, reachedBy(next.status, moves))
}

/** Nodes may be behind each other: an account that is missing is gone only after this time. */
const goneAfter = '1 hour'

/** @param isMissing null: it was not read */
async function noteMissing(tx: Tx, id: string, isMissing: boolean | null): Promise<boolean> {
  const [row] = await tx.query<{ isGone: boolean }>(
    `update stakes set missing_since = case when $2::boolean is null then missing_since when $2 then coalesce(missing_since, now()) end where id = $1
     returning coalesce(missing_since <= now() - $3::interval, false) as "isGone"`,
    [id, isMissing, goneAfter],
  )
  return row?.isGone ?? false
}

/**
 * The states that no transaction under way may change: an unstaking when its transaction is confirmed, or
 * when another tool has deactivated the stake; the state before when one that was confirmed is lost to a
 * fork.
 */
function reachedBy(status: StakeStatus, moves: readonly StakeMove[]): StakeStatus[] {
  const unstaking = moves.findLast((move) => move.kind === 'unstake' && !hasFailed(move))
  const isConfirmed = unstaking?.status === 'confirmed'
  if (status === 'withdrawn') return isConfirmed ? ['unstaking', 'withdrawn'] : ['withdrawn']
  const isSettled = !moves.some(isOpen)
  return isSettled || (status === 'unstaking' && isConfirmed) ? [status] : []
}
