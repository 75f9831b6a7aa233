import type { Tx } from '../platform/db.ts'
import { nextNative, type Observed } from './nextNative.ts'
import { recordStakeEvent } from './recordStakeEvent.ts'
import { hasFailed, type StakeMove } from './stakeMoves.ts'
import { lockParts, readStakes, type Stake } from './storedStake.ts'

/** Stores what became of a native stake and of the rests that were split off it. The caller has locked its parts. */
export async function settleNative(tx: Tx, { id, rootId }: Stake, moves: readonly StakeMove[], account: Observed): Promise<void> {
  for (const move of moves) if (move.restId !== null) await settleRest(tx, id, move)
  const [stake] = (await lockParts(tx, rootId)).filter((part) => part.id === id)
  // Nothing was staked, or its block is not confirmed.
  if (!stake || stake.reason !== null || stake.confirmedAt === null) return
  const isGone = await noteMissing(tx, id, account === null)
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
  await recordEvents(tx, stake, next.status, moves)
}

/**
 * The rest of a split is staked once the transaction is confirmed. If that failed, the stake has it again; a fork may turn it back.
 */
async function settleRest(tx: Tx, id: string, move: StakeMove): Promise<void> {
  const [stake] = await readStakes(tx, 'id = $1', [id])
  const [rest] = await readStakes(tx, 'id = $1', [move.restId])
  if (!stake || !rest) return
  const isUndone = rest.reason !== null
  if (hasFailed(move) && !isUndone) {
    await tx.query(
      `update stakes set status = 'withdrawn', reason = $2, confirmed_at = null, withdrawn_at = now(), next_at = null, updated_at = now() where id = $1`,
      [rest.id, move.reason ?? move.status],
    )
    await changeAmount(tx, id, rest.amount, rest.rewards ?? 0n)
  }
  if (move.status !== 'confirmed') return
  if (isUndone && stake.amount > rest.amount) {
    await tx.query(`update stakes set status = 'active', reason = null, withdrawn_at = null where id = $1`, [rest.id])
    await changeAmount(tx, id, -rest.amount, 0n)
  }
  if (rest.confirmedAt?.getTime() === stake.confirmedAt?.getTime()) return
  await tx.query('update stakes set confirmed_at = $2, next_at = now(), updated_at = now() where id = $1', [rest.id, stake.confirmedAt])
}

async function changeAmount(tx: Tx, id: string, by: bigint, rewards: bigint): Promise<void> {
  await tx.query('update stakes set amount = amount + $2, rewards = coalesce(rewards, 0) + $3 where id = $1', [id, String(by), String(rewards)])
}

/** Nodes may be behind each other: an account that is missing is gone only after this time. */
const goneAfter = '1 hour'

async function noteMissing(tx: Tx, id: string, isMissing: boolean): Promise<boolean> {
  const [row] = await tx.query<{ isGone: boolean }>(
    `update stakes set missing_since = case when $2::boolean then coalesce(missing_since, now()) end where id = $1
     returning coalesce(missing_since <= now() - $3::interval, false) as "isGone"`,
    [id, isMissing, goneAfter],
  )
  return row?.isGone ?? false
}

/** An unstaking is announced when its transaction is confirmed, or when another tool has deactivated the stake. */
async function recordEvents(tx: Tx, before: Stake, status: Stake['status'], moves: readonly StakeMove[]): Promise<void> {
  const unstakings = moves.filter((move) => move.kind === 'unstake' && !hasFailed(move))
  const unannounced = unstakings.filter((move) => move.status === 'confirmed' && move.confirmedAt === null)
  for (const { intentId } of unannounced) await tx.query('update stake_moves set confirmed_at = now() where intent_id = $1', [intentId])
  const isElsewhere = unstakings.length === 0 && before.status === 'active' && status === 'unstaking'
  if (unannounced.length > 0 || isElsewhere) await recordStakeEvent(tx, before.id, 'stake.unstaking')
  if (status === 'withdrawn' && before.status !== 'withdrawn') await recordStakeEvent(tx, before.id, 'stake.withdrawn')
}
