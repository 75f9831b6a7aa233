import { type Block, type BlockHeader, ProviderError, UnreadableBlockError } from '../src/chains/chain.ts'
import { repeat } from '../src/platform/repeat.ts'
import { inTrace } from '../src/platform/telemetry/tracing.ts'
import { type BlockSource, createBlockSource } from './blockSource.ts'
import { commitBlocks } from './commitBlocks.ts'
import type { IndexerContext } from './context.ts'
import { type Contradictions, createContradictions } from './contradictions.ts'
import type { Cursor } from './cursor.ts'
import type { ReportedFinality } from './finality.ts'
import { findPayments } from './findPayments.ts'
import { keptHeaders } from './reread.ts'
import { findAncestor, rewind } from './rewind.ts'
import type { Tip } from './tip.ts'

export interface FollowContext extends IndexerContext {
  finality: ReportedFinality
  tip: Tip
}

/** Poll interval while a subscription reports heads: it may miss one. */
const livelyPollMs = 15_000
/** Retry interval for a provider that does not yet have an announced block. */
const laggingMs = 100

/**
 * Follows one chain until `signal` is aborted. For each block in order: fetch, read the tail of the watch
 * list, match, commit. Retries provider failures; throws other errors.
 * @param cursor the last committed block; null to start at `startAt`, or at the head
 */
export async function followChain(
  ctx: FollowContext,
  cursor: Cursor | null,
  startAt: number | undefined,
): Promise<void> {
  let at = cursor
  // Another process may have led until now, and rewound.
  await ctx.watches.readReverted()
  const source = createBlockSource(ctx.reader)
  const contradictions = createContradictions(ctx)
  const failed = (error: unknown): void => {
    if (!(error instanceof ProviderError)) throw error
    reportFailure(ctx, error, at)
  }
  await repeat(ctx.signal, { everyMs: ctx.pollMs, bell: ctx.bell, failed }, async () => {
    const head = ctx.reported.take() ?? (await ctx.reader.head())
    ctx.tip.moved(head.height)
    ctx.metrics.head.set(head.height)
    at ??= { height: (startAt ?? head.height) - 1, id: null }
    if (head.height + ctx.chain.reorgLimit < at.height) {
      throw new ProviderError(
        `the head is at ${head.height}, but ${at.height} was read already: the node is far behind, or on another chain`,
      )
    }
    if (head.height === at.height && at.id !== null && head.id !== at.id) {
      at = await goBack(ctx, at)
      source.forget()
    }
    for await (const reached of catchUp(ctx, source, at, head, contradictions)) at = reached
    ctx.metrics.lag.set(Math.max(0, head.height - at.height))
    ctx.metrics.unreadable.set(0)
    ctx.tip.read(false)
    if (at.height < head.height) return laggingMs
    return ctx.reported.isLively() ? livelyPollMs : ctx.pollMs
  })
}

function reportFailure({ metrics, log, tip }: FollowContext, error: ProviderError, at: Cursor | null): void {
  const isUnreadable = error instanceof UnreadableBlockError
  metrics.failures.inc()
  metrics.unreadable.set(isUnreadable ? 1 : 0)
  tip.read(isUnreadable)
  if (isUnreadable)
    log.error(
      { err: error.message, after: at?.height },
      'a block cannot be read by this version: payments after it are not seen; update Cowry',
    )
  else log.warn({ err: error.message }, 'the chain could not be read; trying again')
}

/**
 * Commits the blocks between cursor and head; yields each new cursor, which stays valid if a later block
 * fails. Stops early if a provider does not have the next block yet.
 */
async function* catchUp(
  ctx: FollowContext,
  source: BlockSource,
  cursor: Cursor,
  head: BlockHeader,
  contradictions: Contradictions,
): AsyncGenerator<Cursor> {
  let at = cursor
  // Blocks this deep are read and committed in batches: a fork is unlikely, and latency does not matter.
  const deep = head.height - Math.max(ctx.chain.confirmations, 2)
  while (at.height < head.height && !ctx.signal.aborted) {
    const blocks = await source.next(at.height + 1, deep, head.height)
    if (blocks.length === 0) return
    const linked = linkedTo(at, blocks)
    if (linked.length < blocks.length) source.forget()
    if (linked.length === 0) {
      at = await contradictions.during(blocks[0] as Block, () => goBack(ctx, at))
    } else {
      at = await take(ctx, linked, head.height)
      contradictions.fits(linked[linked.length - 1] as Block)
    }
    yield at
  }
}

/** The blocks up to the first broken parent link. */
function linkedTo(at: Cursor, blocks: readonly Block[]): Block[] {
  let parent = at.id
  const broken = blocks.findIndex((block) => {
    const fits = parent === null || block.parentId === parent
    parent = block.id
    return !fits
  })
  return broken < 0 ? [...blocks] : blocks.slice(0, broken)
}

function take(ctx: FollowContext, blocks: readonly Block[], head: number): Promise<Cursor> {
  const [first, last] = [blocks[0], blocks[blocks.length - 1]]
  const attributes = {
    'cowry.chain': ctx.chain.name,
    'cowry.block.from': first?.height,
    'cowry.block.to': last?.height,
    'cowry.block.id': last?.id,
  }
  const committing = inTrace('commit blocks', { attributes }, () => matchAndCommit(ctx, blocks, head))
  ctx.inFlight.done = committing.catch(() => {})
  return committing
}

async function matchAndCommit(ctx: FollowContext, blocks: readonly Block[], head: number): Promise<Cursor> {
  await ctx.watches.readTail()
  const matchedWith = ctx.watches.snapshot
  const read = await findPayments(ctx, blocks)
  const { detected } = await commitBlocks(ctx, read, ctx.finality.reported(), matchedWith)
  ctx.finality.committed.ring()
  const last = blocks[blocks.length - 1] as Block
  ctx.metrics.blocks(blocks.length, last, head, detected)
  if (detected > 0)
    ctx.log.info({ height: last.height, blocks: blocks.length, detected }, 'transfers detected')
  if (Math.floor(last.height / 1000) !== Math.floor((last.height - blocks.length) / 1000)) {
    await ctx.db.query('delete from blocks where chain = $1 and height < $2', [
      ctx.chain.name,
      last.height - keptHeaders,
    ])
  }
  return { height: last.height, id: last.id }
}

async function goBack(ctx: FollowContext, at: Cursor): Promise<Cursor> {
  // A provider that switched to another chain resembles a very deep fork.
  await ctx.reader.verify()
  const ancestor = await findAncestor(ctx, at)
  // The first provider still has our block, another one has a different block: wait until they agree.
  if (ancestor.height === at.height)
    throw new ProviderError(`the providers are on different forks at ${at.height}`)
  const reverted = await rewind(ctx, ancestor)
  ctx.finality.wentBack(ancestor.height)
  await ctx.watches.readReverted()
  ctx.metrics.reorg(at.height - ancestor.height, reverted)
  ctx.log.warn({ from: at.height, to: ancestor.height, reverted }, 'reorg: went back to the common ancestor')
  return ancestor
}
