import { type BlockReader, ProviderError } from '../src/chains/chain.ts'
import type { Queryable, Tx } from '../src/platform/database/db.ts'
import { BaseError } from '../src/platform/errors.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { detectionRow } from '../src/watches/publishDetections.ts'
import type { DetectionRow } from '../src/watches/purposes.ts'
import { confirmedHeight, finalizedHeight } from './confirm.ts'
import type { CommitContext, LeaderContext } from './context.ts'
import { type Cursor, committedHeader, FencedError, idleGuard } from './cursor.ts'
import { providerWithBlock } from './providerWithBlock.ts'
import { publish } from './publish.ts'

/** The fork is deeper than the chain allows. An operator must decide. */
export class ReorgTooDeepError extends BaseError {
  readonly code = 'reorg_too_deep'
  readonly retry = 'no'
  /** The deepest stored block that was compared. */
  readonly deepest: BlockId

  constructor(message: string, deepest: BlockId) {
    super(message)
    this.deepest = deepest
  }
}

type BlockId = { height: number; id: string }

/**
 * The block to go back to. `credited`: the lowest block above it with a confirmed payment, which no provider
 * has any more.
 */
export interface Ancestor extends Cursor {
  credited?: BlockId
}

type ForkContext = CommitContext & { reader: BlockReader; crossCheckMs?: number }

/**
 * The newest committed block that the chain still has. One provider alone could invent a fork: credited
 * payments are reverted, and a fork is called too deep, only if no provider has those blocks. Otherwise the
 * provider that has them is trusted.
 * @throws ProviderError when the chain cannot be read or the providers differ
 * @throws ReorgTooDeepError at the limit
 */
export async function findAncestor(ctx: ForkContext, cursor: Cursor): Promise<Ancestor> {
  const ancestor = await newestInCommon(ctx, cursor).catch(async (error: unknown) => {
    const holder = error instanceof ReorgTooDeepError ? await providerWithBlock(ctx, error.deepest) : null
    if (holder === null) throw error
    return newestInCommon(ctx, cursor, holder)
  })
  const credited =
    ancestor.height < cursor.height ? await lowestConfirmed(ctx.db, ctx.chain.name, ancestor.height) : null
  if (!credited) return ancestor
  if ((await providerWithBlock(ctx, credited)) !== null) {
    throw new ProviderError(
      `the providers are on different forks: some have block ${credited.height}, whose payments were credited, others have another block`,
    )
  }
  return { ...ancestor, credited }
}

/** The lowest block above a height with a confirmed payment. */
async function lowestConfirmed(db: Queryable, chain: string, above: number): Promise<BlockId | null> {
  const [row] = await db.query<{ height: string; id: string }>(
    `select t.block_height as height, t.block_id as id from detections d join transfers t on t.id = d.transfer_id
     where d.chain = $1 and d.block_height > $2 and d.status = 'confirmed' order by d.block_height limit 1`,
    [chain, above],
  )
  return row ? { height: Number(row.height), id: row.id } : null
}

/** @param source read only from this provider */
async function newestInCommon(ctx: ForkContext, cursor: Cursor, source?: string): Promise<Cursor> {
  const { name, reorgLimit } = ctx.chain
  const [recorded] = await ctx.db.query<{ finalizedHeight: string | null }>(
    'select finalized_height as "finalizedHeight" from chain_cursors where chain = $1',
    [name],
  )
  // Only the chain's own finality cannot change; depth can.
  const lowest = Math.min(Number(recorded?.finalizedHeight ?? -1), cursor.height)
  let deepest: BlockId = { height: cursor.height, id: cursor.id ?? '' }
  for (let height = cursor.height; cursor.height - height <= reorgLimit; height--) {
    if (height < lowest)
      throw new ReorgTooDeepError(
        `${name} changed below block ${lowest}, which it had called finalized; nothing was changed here`,
        deepest,
      )
    const ours = await committedHeader(ctx.db, name, height)
    // Nothing is stored below: read everything again.
    if (!ours) return { height, id: null }
    const theirs = await ctx.reader.header(height, source)
    if (!theirs) throw new ProviderError(`no provider has block ${height} while a fork is being resolved`)
    if (theirs.id === ours.id) return ours
    deepest = ours
  }
  throw new ReorgTooDeepError(
    `${name} forked more than ${reorgLimit} blocks below ${cursor.height}; nothing was changed here`,
    deepest,
  )
}

/**
 * Rewinds to `ancestor`: blocks above it become non-canonical, their transfers orphaned, their detections
 * reverted, and jobs are enqueued for the affected sessions and watches.
 * @returns how many detections were reverted
 * @throws FencedError when this process no longer leads
 * @throws ProviderError if a block above `ancestor` became final, or a payment above it was confirmed, after
 * the providers were read
 */
export async function rewind(ctx: LeaderContext, ancestor: Ancestor): Promise<number> {
  const reverted = await ctx.db.tx(async (tx) => {
    await refuseIfSettledSince(ctx, tx, ancestor)
    return rewindIn(ctx, tx, ancestor)
  })
  failpoint('indexer.rewound')
  return reverted
}

/** The same, in the caller's transaction, even below what is final or credited: an operator may decide so. */
export async function rewindIn(ctx: LeaderContext, tx: Tx, ancestor: Cursor): Promise<number> {
  const chain = ctx.chain.name
  const [cursor] = await tx.query<{ finalizedHeight: string | null }>(
    `update chain_cursors set height = $2, updated_at = now(),
         covered = covered - int8multirange(int8range($2::bigint + 1, null)), traced = traced - int8multirange(int8range($2::bigint + 1, null))
       where chain = $1 and epoch = $3 returning finalized_height as "finalizedHeight", ${idleGuard}`,
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
        finalizedHeight(
          ctx.chain,
          ancestor.height,
          ancestor.height,
          cursor.finalizedHeight === null ? null : Number(cursor.finalizedHeight),
          {
            finalized: null,
            head: ancestor.height,
          },
        ),
      ),
    ],
  )
  await tx.query('update blocks set canonical = false where chain = $1 and height > $2 and canonical', [
    chain,
    ancestor.height,
  ])
  await tx.query(
    'update transfers set canonical = false from detections d where d.transfer_id = transfers.id and d.chain = $1 and d.block_height > $2',
    [chain, ancestor.height],
  )
  const rows = await tx.query<DetectionRow>(
    `update detections set status = 'reverted', reverted_at = now()
       where chain = $1 and block_height > $2 and status <> 'reverted' returning ${detectionRow}`,
    [chain, ancestor.height],
  )
  await publish(tx, rows, 'reverted')
  return rows.length
}

/**
 * Payments are confirmed while the providers are read for a fork. From here on the cursor's row is locked:
 * nothing is confirmed until the end.
 */
async function refuseIfSettledSince(
  { chain: { name }, epoch }: LeaderContext,
  tx: Tx,
  ancestor: Ancestor,
): Promise<void> {
  const [cursor] = await tx.query<{ finalizedHeight: string | null }>(
    `select finalized_height as "finalizedHeight", ${idleGuard} from chain_cursors where chain = $1 and epoch = $2 for update`,
    [name, epoch.toString()],
  )
  if (!cursor) throw new FencedError(name)
  const finalized = Number(cursor.finalizedHeight ?? -1)
  if (finalized > ancestor.height)
    throw new ProviderError(
      `block ${finalized} became final while a fork above ${ancestor.height} was resolved`,
    )
  const confirmed = await lowestConfirmed(tx, name, ancestor.height)
  if (confirmed && confirmed.height < (ancestor.credited?.height ?? Number.POSITIVE_INFINITY))
    throw new ProviderError(
      `a payment in block ${confirmed.height} was confirmed while a fork above ${ancestor.height} was resolved`,
    )
}
