import type { StakeOwner, StakeReading } from '../../chains/staking.ts'
import type { Db } from '../../platform/database/db.ts'
import { failpoint } from '../../platform/failpoints.ts'
import { readStakes, type Stake } from '../storedStake.ts'
import { nextChainCheck } from './nextChainCheck.ts'
import { canBeRead } from './nextNative.ts'
import { settleNative } from './settleNative.ts'
import { settleParts } from './settleParts.ts'
import { isOpen, lastChangeOf, readMoves, type StakeMove } from './stakeMoves.ts'

export interface NativeFollowing {
  db: Db
  /** Reads stakes of a chain; null where it is not configured, or has no native stakes. */
  nativeStaking(chain: string): Promise<ReadStake | null>
}

/** @param fromSlot an answer that was read before this slot is not used again */
export type ReadStake = (owner: StakeOwner, fromSlot: number) => Promise<StakeReading>

const hour = 3_600_000
/** Nodes are behind the blocks that were confirmed. */
const behindMs = 15_000

/**
 * Follows a native stake: its transactions and its account on the chain. Safe to repeat and to run
 * concurrently.
 * @returns when it is due again; null: when something changes
 * @throws ProviderError
 */
export async function followNative(ctx: NativeFollowing, { id, rootId }: Stake): Promise<number | null> {
  const { stake, moves, changedAt } = await ctx.db.tx(async (tx) => {
    const part = partOf(await settleParts(tx, rootId), id)
    return { stake: part, moves: await readMoves(tx, id), changedAt: await lastChangeOf(tx, id) }
  })
  // Nothing was staked, or its block is not confirmed: then there is no time of its confirmation.
  if (!stake || stake.confirmedAt === null) return null
  const read = canBeRead(stake, moves) ? await ctx.nativeStaking(stake.chain) : null
  const look = read ? await read({ id, from: stake.from }, changedAt) : null
  // An answer of a slot before does not have the block. From that block on, the account is what counts.
  if (look && look.slot < changedAt) return behindMs
  const settled = await ctx.db.tx(async (tx) => {
    const now = partOf(await settleParts(tx, rootId), id)
    // A transaction has changed meanwhile, and made this due again; or a request has stored one.
    if (!now || now.confirmedAt === null || !isSame(moves, await readMoves(tx, id))) return false
    await settleNative(tx, now, moves, look ? look.account : undefined)
    return true
  })
  failpoint('staking.native-settled')
  const [next] = await readStakes(ctx.db, 'id = $1', [id])
  if (!settled || !next || next.status === 'withdrawn' || moves.some(isOpen)) return null
  return look ? nextChainCheck(look, Date.now(), Math.random()) : hour
}

const partOf = (parts: readonly Stake[], id: string): Stake | undefined =>
  parts.find((part) => part.id === id)

const isSame = (before: readonly StakeMove[], now: readonly StakeMove[]): boolean =>
  before.length === now.length &&
  before.every(({ intentId, status, blockHeight }, i) => {
    const each = now[i]
    return intentId === each?.intentId && status === each.status && blockHeight === each.blockHeight
  })
