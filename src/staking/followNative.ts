import type { ChainStaking } from '../chains/staking.ts'
import type { Db } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { canBeRead, isBehind, type Observed } from './nextNative.ts'
import { settleNative } from './settleNative.ts'
import { isOpen, readMoves, type StakeMove } from './stakeMoves.ts'
import { lockParts, readStakes, type Stake } from './storedStake.ts'

export interface NativeFollowing {
  db: Db
  /** Null where the chain is not configured, or has no native stakes. */
  nativeStaking(chain: string): Promise<ChainStaking | null>
}

/** Epochs take days. */
const lookMs = 3_600_000
/** Nodes are behind the blocks that were confirmed. */
const behindMs = 15_000
/** The estimate of an epoch's end may be early. */
const minLookMs = 60_000

/**
 * Follows a native stake: its transactions and its account on the chain. Safe to repeat and to run concurrently.
 * @returns when it is due again; null: when something changes
 * @throws ProviderError
 */
export async function followNative(ctx: NativeFollowing, stake: Stake): Promise<number | null> {
  const { id, rootId, from } = stake
  if (stake.reason !== null || stake.confirmedAt === null) return null
  const moves = await readMoves(ctx.db, id)
  const staking = canBeRead(stake, moves) ? await ctx.nativeStaking(stake.chain) : null
  const account: Observed = staking ? await staking.read({ id, from }) : undefined
  if (isBehind(moves, account)) return behindMs
  const settled = await ctx.db.tx(async (tx) => {
    const now = (await lockParts(tx, rootId)).find((part) => part.id === id)
    // A transaction has changed meanwhile, and made this due again; or a request has stored one.
    if (!now || !isSame(moves, await readMoves(tx, id))) return false
    await settleNative(tx, now, moves, account)
    return true
  })
  failpoint('staking.native-settled')
  const [next] = await readStakes(ctx.db, 'id = $1', [id])
  if (!settled || !next || next.status === 'withdrawn' || moves.some(isOpen)) return null
  return nextLook(next)
}

const isSame = (before: readonly StakeMove[], now: readonly StakeMove[]): boolean =>
  before.length === now.length && before.every(({ intentId, status }, i) => intentId === now[i]?.intentId && status === now[i]?.status)

/** Early, if it can be withdrawn before. */
function nextLook({ chainState, withdrawableAt }: Stake): number {
  if (chainState !== 'deactivating' || !withdrawableAt) return lookMs
  return Math.min(lookMs, Math.max(minLookMs, withdrawableAt.getTime() - Date.now()))
}
