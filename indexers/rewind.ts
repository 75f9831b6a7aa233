import { type BlockReader, ProviderError } from '../src/chains/chain.ts'
import type { Tx } from '../src/platform/db.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { confirmedHeight, finalizedHeight } from './confirm.ts'
import type { CommitContext, LeaderContext } from './context.ts'
import { type Cursor, committedHeader, FencedError, idleGuard } from './cursor.ts'
import { type DetectionRow, detectionRow, tellOfPayments } from './tellOfPayments.ts'

/** The fork is deeper than any that the chain should have. Only a person can say what is true now. */
export class ReorgTooDeepError extends Error {}

/**
 * The newest committed block that the chain still has.
 * @throws ProviderError when the chain cannot be asked, ReorgTooDeepError at the limit
 */
export async function findAncestor(ctx: CommitContext & { reader: BlockReader }, cursor: Cursor): Promise<Cursor> {
  const { name, reorgLimit } = ctx.chain
  const [told] = await ctx.db.query<{ finalized_height: string | null }>('select finalized_height from chain_cursors where chain = $1', [name])
  // What the chain once called finalized cannot change: not what merely lies deep enough.
  const lowest = Math.min(Number(told?.finalized_height ?? -1), cursor.height)
  for (let height = cursor.height; cursor.height - height <= reorgLimit; height--) {
    if (height < lowest) throw new ReorgTooDeepError(`${name} changed below block ${lowest}, which it had called finalized; nothing was changed here`)
    const ours = await committedHeader(ctx.db, name, height)
    // Nothing of ours lies deeper: the whole of what was read is read again.
    if (!ours) return { height, id: null }
    const theirs = await ctx.reader.header(height)
    if (!theirs) throw new ProviderError(`no provider has block ${height} while a fork is looked into`)
    if (theirs.id === ours.id) return ours
  }
  throw new ReorgTooDeepError(`${name} forked more than ${reorgLimit} blocks below ${cursor.height}; nothing was changed here`)
}

/**
 * Goes back to `ancestor`: blocks above it are no longer canonical, their transfers are orphaned, their
 * detections reverted, and who built on them is told by a job. What the new branch holds is found again.
 * @returns how many detections were reverted
 * @throws FencedError when this process no longer leads
 */
export async function rewind(ctx: LeaderContext, ancestor: Cursor): Promise<number> {
  const reverted = await ctx.db.tx((tx) => rewindIn(ctx, tx, ancestor))
  failpoint('indexer.rewound')
  return reverted
}

/** The same, in the caller's transaction. */
export async function rewindIn(ctx: LeaderContext, tx: Tx, ancestor: Cursor): Promise<number> {
  const chain = ctx.chain.name
  const [cursor] = await tx.query<{ finalized_height: string | null }>(
    `update chain_cursors set height = $2, updated_at = now(),
         covered = covered - int8multirange(int8range($2::bigint + 1, null)), traced = traced - int8multirange(int8range($2::bigint + 1, null))
       where chain = $1 and epoch = $3 returning finalized_height, ${idleGuard}`,
    [chain, ancestor.height, ctx.epoch.toString()],
  )
  if (!cursor) throw new FencedError(chain)
  await tx.query(
    'update chain_cursors set confirmed_time = (select time from blocks where chain = $1 and height = $2 and canonical) where chain = $1',
    [
      chain,
      confirmedHeight(
        ctx.chain,
        ancestor.height,
        finalizedHeight(ctx.chain, ancestor.height, ancestor.height, cursor.finalized_height === null ? null : Number(cursor.finalized_height), {
          finalized: null,
          head: ancestor.height,
        }),
      ),
    ],
  )
  await tx.query('update blocks set canonical = false where chain = $1 and height > $2 and canonical', [chain, ancestor.height])
  await tx.query(
    'update transfers set canonical = false from detections d where d.transfer_id = transfers.id and d.chain = $1 and d.block_height > $2',
    [chain, ancestor.height],
  )
  const rows = await tx.query<DetectionRow>(
    `update detections set status = 'reverted', reverted_at = now()
       where chain = $1 and block_height > $2 and status <> 'reverted' returning ${detectionRow}`,
    [chain, ancestor.height],
  )
  await tellOfPayments(tx, rows, 'reverted')
  return rows.length
}
