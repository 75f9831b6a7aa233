import { ProviderError } from '../chains/chain.ts'
import type { Tx } from '../platform/database/db.ts'
import { withClaim } from '../platform/database/withClaim.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import { bookParts } from './bookParts.ts'
import { type Confirmation, confirmationOf, isConfirmationStored, storeConfirmation } from './confirmation.ts'
import type { StakingContext } from './context.ts'
import { followNative } from './native/followNative.ts'
import { payStake } from './payStake.ts'
import { recordStakeEvent } from './recordStakeEvent.ts'
import { earnsFrom } from './rewards.ts'
import { lockParts, readStakes, type Stake } from './storedStake.ts'

/** Longer than a step takes; then another worker takes over from one that died. */
const leaseMs = 30_000
const retryMs = 15_000
/** The operator may fund rewards at any time. */
const rewardsMs = 60_000

/**
 * Takes a stake one step further: reads its block, books it, pays it. Safe to repeat and to run concurrently.
 */
export async function stepStake(ctx: StakingContext, id: string): Promise<void> {
  await withClaim(
    ctx.db,
    { table: 'stakes', at: 'next_at', key: { id }, leaseMs },
    async ({ until, release }) => {
      try {
        const nextInMs = await step(ctx, id)
        if (nextInMs !== null) await release(ctx.pollMs ?? nextInMs)
        // A change meanwhile has set another time.
        else
          await ctx.db.query('update stakes set next_at = null where id = $1 and next_at = $2::timestamptz', [
            id,
            until,
          ])
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        ctx.log.warn(
          { stake: id, err: messageOf(error) },
          'the chain does not answer; the stake goes on later',
        )
        await release(ctx.pollMs ?? retryMs)
      }
    },
  )
}

/** @returns when it is due again; null: when something changes */
async function step(ctx: StakingContext, id: string): Promise<number | null> {
  const [stake] = await readStakes(ctx.db, 'id = $1', [id])
  if (!stake) return null
  if (stake.id === stake.rootId && !(await followTransaction(ctx, stake))) return retryMs
  const [now] = await readStakes(ctx.db, 'id = $1', [id])
  if (now?.type === 'native') return followNative(ctx, now)
  return now && now.status !== 'active' && now.reason === null ? followWithdrawal(ctx, now) : null
}

/** Stores the state of the transaction that staked. @returns false: the chain does not report it yet */
async function followTransaction(ctx: StakingContext, stake: Stake): Promise<boolean> {
  const { db } = ctx
  const [intent] = await readIntents(db, 'id = $1 and business_id = $2', [stake.rootId, stake.businessId])
  if (!intent) return true
  const isConfirmed = intent.status === 'confirmed' && intent.blockHeight !== null
  if (isConfirmed && stake.confirmedAt !== null && (await isConfirmationStored(db, stake.rootId))) return true
  const found = isConfirmed ? await confirmationOf(ctx, intent) : null
  if (isConfirmed && !found) {
    ctx.log.warn(
      { stake: stake.id, chain: stake.chain, txId: intent.txId },
      'the chain does not confirm the transaction of a stake yet',
    )
    return false
  }
  await db.tx(async (tx) => {
    const parts = await lockParts(tx, stake.rootId)
    const root = parts.find(({ id }) => id === stake.rootId)
    const [now] = await readIntents(tx, 'id = $1 and business_id = $2', [stake.rootId, stake.businessId])
    // It has changed meanwhile, and made this due again.
    if (!root || now?.status !== intent.status || now.blockHeight !== intent.blockHeight) return
    if (found) await confirm(ctx, tx, root, parts, found)
    else await revert(tx, root, intent)
  })
  failpoint('staking.confirmed')
  return true
}

/**
 * Parts of a native stake have transactions of their own. Its parts may have failed with it in a block that a
 * fork took away: each goes on from where it was. All of them are due.
 */
async function confirm(
  ctx: StakingContext,
  tx: Tx,
  root: Stake,
  parts: readonly Stake[],
  found: Confirmation,
): Promise<void> {
  await storeConfirmation(tx, ctx, found)
  const at = earnsFrom(root, found.time, new Date())
  if (root.confirmedAt?.getTime() === at.getTime()) return
  await tx.query(
    `update stakes set confirmed_at = $2, next_at = now(), updated_at = now(), reason = null,
       status = case when reason is null then status when unstaked_at is null then 'active' else 'unstaking' end,
       withdrawn_at = case when reason is null then withdrawn_at end
     where root_id = $1 and (type = 'pooled' or id = root_id)`,
    [root.rootId, at],
  )
  await bookParts(tx, root.rootId)
  const isNew = (part: Stake) =>
    (part.reason !== null && (part.type === 'pooled' || part.id === root.id)) ||
    (part.id === root.id && part.confirmedAt === null && part.status === 'active')
  for (const { id, unstakedAt } of parts.filter(isNew))
    await recordStakeEvent(tx, id, unstakedAt === null ? 'stake.active' : 'stake.unstaking')
}

/**
 * A fork, or a transaction that did not succeed: nothing is staked. As long as it may succeed, rewards that a
 * payment sends stay booked: another stake may not take them. All parts are due, since each payment of them
 * is to be checked again.
 */
async function revert(tx: Tx, root: Stake, { status, reason }: Intent): Promise<void> {
  const hasFailed = status === 'failed' || status === 'expired'
  await tx.query('delete from stake_confirmations where root_id = $1', [root.rootId])
  await tx.query(
    `update stakes s set confirmed_at = null, next_at = now(), updated_at = now(), rewards_booked = rewards_booked and not $2
       and exists (select 1 from stake_payments p where p.stake_id = s.id and p.rewards > 0)
     where root_id = $1 and (confirmed_at is not null or (rewards_booked and $2))`,
    [root.rootId, hasFailed],
  )
  await bookParts(tx, root.rootId)
  if (!hasFailed) return
  const ended = await tx.query<{ id: string }>(
    `update stakes set status = 'withdrawn', reason = $2, withdrawn_at = now(), updated_at = now()
     where root_id = $1 and status <> 'withdrawn' and (type = 'pooled' or id = root_id) returning id`,
    [root.rootId, reason ?? status],
  )
  for (const { id } of ended) await recordStakeEvent(tx, id, 'stake.withdrawn')
}

/** Books rewards that were short, and pays what can be paid. */
async function followWithdrawal(ctx: StakingContext, stake: Stake): Promise<number | null> {
  const isShort = (stake.rewards ?? 0n) > 0n && !stake.rewardsBooked && stake.confirmedAt !== null
  if (isShort) await ctx.db.tx((tx) => bookParts(tx, stake.rootId))
  const waitMs = stake.withdrawRequestedAt === null ? null : await payStake(ctx, stake.id)
  const [now] = await readStakes(ctx.db, 'id = $1', [stake.id])
  if (waitMs !== null) return waitMs
  return (now?.rewards ?? 0n) > 0n && !now?.rewardsBooked ? rewardsMs : null
}
