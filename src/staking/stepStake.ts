import type { BlockReader } from '../chains/chain.ts'
import { ProviderError } from '../chains/chain.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Prover } from '../custody/proof.ts'
import type { Db, Tx } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/log.ts'
import { withClaim } from '../platform/withClaim.ts'
import { type Intent, type PurposesContext, readIntents } from '../txmgr/intents.ts'
import { bookParts } from './bookParts.ts'
import { followNative, type NativeFollowing } from './followNative.ts'
import { payStake } from './payStake.ts'
import { recordStakeEvent } from './recordStakeEvent.ts'
import { lockParts, readStakes, type Stake } from './storedStake.ts'

export interface StakingContext extends PurposesContext, NativeFollowing {
  db: Db
  log: Log
  chains: readonly ConfiguredChain[]
  /** Proves the intents of this process to the treasury. */
  prover: Prover
  reader(chain: string): Promise<Pick<BlockReader, 'header'>>
  /** Between two looks at a stake that waits for something; null: the default. */
  pollMs: number | null
}

/** Longer than a step takes; then another worker takes over from one that died. */
const leaseMs = 30_000
const retryMs = 15_000
/** The operator may fund rewards at any time. */
const rewardsMs = 60_000

/** Takes a stake one step further: reads its block, books it, pays it. Safe to repeat and to run concurrently. */
export async function stepStake(ctx: StakingContext, id: string): Promise<void> {
  await withClaim(ctx.db, { table: 'stakes', at: 'next_at', key: { id }, leaseMs }, async ({ until, release }) => {
    try {
      const nextInMs = await step(ctx, id)
      if (nextInMs !== null) await release(ctx.pollMs ?? nextInMs)
      // A change meanwhile has set another time.
      else await ctx.db.query('update stakes set next_at = null where id = $1 and next_at = $2::timestamptz', [id, until])
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn({ stake: id, err: messageOf(error) }, 'the chain does not answer; the stake goes on later')
      await release(ctx.pollMs ?? retryMs)
    }
  })
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

/** Stores what became of the transaction that staked. @returns false: its block cannot be read yet */
async function followTransaction({ db, reader }: StakingContext, stake: Stake): Promise<boolean> {
  const [intent] = await readIntents(db, 'id = $1 and business_id = $2', [stake.rootId, stake.businessId])
  if (!intent) return true
  const { blockHeight } = intent
  const isConfirmed = intent.status === 'confirmed' && blockHeight !== null
  const header = isConfirmed ? await (await reader(stake.chain)).header(blockHeight) : null
  if (isConfirmed && !header) return false
  await db.tx(async (tx) => {
    const [root] = (await lockParts(tx, stake.rootId)).filter(({ id }) => id === stake.rootId)
    const [now] = await readIntents(tx, 'id = $1 and business_id = $2', [stake.rootId, stake.businessId])
    // It has changed meanwhile, and made this due again.
    if (!root || now?.status !== intent.status || now.blockHeight !== blockHeight) return
    if (header) await confirm(tx, root, header.time)
    else await revert(tx, root, intent)
  })
  failpoint('staking.confirmed')
  return true
}

async function confirm(tx: Tx, root: Stake, at: Date): Promise<void> {
  if (root.confirmedAt?.getTime() === at.getTime()) return
  // One that had failed in a block that a fork took away.
  const status = root.reason === null ? root.status : 'active'
  await tx.query('update stakes set confirmed_at = $2, updated_at = now() where root_id = $1', [root.rootId, at])
  await tx.query('update stakes set status = $2, reason = null, withdrawn_at = null where id = $1 and reason is not null', [root.id, status])
  await bookParts(tx, root.rootId)
  if (root.confirmedAt === null && status === 'active') await recordStakeEvent(tx, root.id, 'stake.active')
}

/** A fork, or a transaction that did not succeed: nothing is staked. */
async function revert(tx: Tx, root: Stake, { status, reason }: Intent): Promise<void> {
  const hasFailed = status === 'failed' || status === 'expired'
  if (root.confirmedAt !== null) {
    await tx.query('update stakes set confirmed_at = null, rewards_booked = false, updated_at = now() where root_id = $1', [root.rootId])
    await bookParts(tx, root.rootId)
  }
  if (!hasFailed || root.status === 'withdrawn') return
  await tx.query(
    `update stakes set status = 'withdrawn', reason = $2, withdrawn_at = now(), updated_at = now() where root_id = $1 and status <> 'withdrawn'`,
    [root.rootId, reason ?? status],
  )
  await recordStakeEvent(tx, root.id, 'stake.withdrawn')
}

/** Books rewards that were short, and pays what can be paid. */
async function followWithdrawal(ctx: StakingContext, stake: Stake): Promise<number | null> {
  const isShort = (stake.rewards ?? 0n) > 0n && !stake.rewardsBooked && stake.confirmedAt !== null
  if (isShort) await ctx.db.tx((tx) => bookParts(tx, stake.rootId))
  const waits = stake.withdrawRequestedAt === null ? false : await payStake(ctx, stake.id)
  const [now] = await readStakes(ctx.db, 'id = $1', [stake.id])
  if (waits) return retryMs
  return (now?.rewards ?? 0n) > 0n && !now?.rewardsBooked ? rewardsMs : null
}
