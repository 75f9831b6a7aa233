import type { ProviderTip } from '../src/chains/chain.ts'
import { orUndefined } from '../src/chains/reading.ts'
import { repeat } from '../src/platform/repeat.ts'
import { type Bell, createBell, pause } from '../src/platform/wait.ts'
import { awaitsExpiry } from '../src/sessions/requestExpiries.ts'
import { advanceFinality } from './advanceFinality.ts'
import { type BlockId, createAgreedTips } from './agreedTips.ts'
import type { ReportedHeights } from './confirm.ts'
import { hasSecondProvider, type IndexerContext } from './context.ts'
import { type Cursor, committedHeader, readCursor } from './cursor.ts'
import { logUnreadable } from './logUnreadable.ts'
import { recordFinalized } from './recordFinalized.ts'

/** Head and finality that the providers reported. Finality never decreases. */
export interface ReportedFinality {
  reported(): ReportedHeights
  /** @returns whether a height increased */
  report(more: ReportedHeights): boolean
  /** After a fork: heads above this height are unknown again. */
  wentBack(height: number): void
  /** Rung at each commit: the providers are read again then. */
  committed: Bell
}

/** @param ever the highest finalized height that was recorded: after a restart, depth does not replace it */
export function createReportedFinality(ever: number | null = null): ReportedFinality {
  let known: ReportedHeights = { finalized: ever, head: null }
  return {
    reported: () => known,
    report(more) {
      const before = known
      known = { finalized: later(known.finalized, more.finalized), head: later(known.head, more.head) }
      return known.finalized !== before.finalized || known.head !== before.head
    },
    wentBack(height) {
      known = { ...known, head: known.head === null ? null : Math.min(known.head, height) }
    },
    committed: createBell(),
  }
}

const later = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

/**
 * Reads head and finality while a payment or the end of a session waits for them. A chain without payments
 * costs no calls.
 */
export async function followFinality(ctx: IndexerContext & { finality: ReportedFinality }): Promise<void> {
  const round = createRounds(ctx)
  const shortMs = Math.min(ctx.pollMs, 1000)
  const longMs = Math.max(shortMs, 2 * ctx.chain.blockMs)
  let waitMs = longMs
  let read = -1
  const bell = {
    async wait() {
      // Limits the rate on chains with fast blocks.
      await pause(shortMs, ctx.signal)
      await ctx.finality.committed.wait(waitMs - shortMs, ctx.signal)
    },
  }
  const failed = logUnreadable(ctx.log, 'no provider reports what is finalized; trying again')
  await repeat(ctx.signal, { everyMs: longMs, bell, failed }, async () => {
    const cursor = await round()
    if (cursor && cursor.height > read) waitMs = shortMs
    // Another provider has our newest block in a moment, or it is down.
    else waitMs = (ctx.finality.reported().head ?? -1) < read ? Math.min(longMs, 2 * waitMs) : longMs
    read = cursor?.height ?? read
  })
}

/**
 * @returns a function that reads once and confirms what is due: it returns the cursor, or null if nothing
 * waits
 */
function createRounds(ctx: IndexerContext & { finality: ReportedFinality }): () => Promise<Cursor | null> {
  const tips = createAgreedTips(ctx.chain, ctx.crossCheckMs)
  const forks = new Set<string>()
  return async () => {
    if (!(await somethingWaits(ctx))) {
      tips.rest()
      return null
    }
    const answered = await ctx.reader.tips()
    const cursor = await readCursor(ctx.db, ctx.chain.name)
    if (!cursor) return null
    tips.report(answered, cursor.height)
    const advance = async (more: ReportedHeights) =>
      void (ctx.finality.report(more) && (await advanceFinality(ctx, ctx.finality.reported())))
    const head = tips.head()
    // A head above the cursor proves nothing and may be invented.
    await advance({ finalized: null, head: head === null ? null : Math.min(head, cursor.height) })
    if (ctx.chain.finalizedByDepth) return cursor
    const finalized = await tips.finalized({
      upTo: (tip) => finalOfOurs(ctx, cursor, tip, forks),
      isOnOurBranch: (tip) => isOnOurBranch(ctx, cursor, tip),
      isOurs: async ({ height, id }) => (await ourBlock(ctx, cursor, height))?.id === id,
    })
    // Usually nothing became final since the last round: then nothing is written.
    const isNew = finalized !== null && finalized > (ctx.finality.reported().finalized ?? -1)
    if (isNew && (await recordFinalized(ctx, finalized, cursor))) await advance({ finalized, head: null })
    if (finalized !== null) ctx.metrics.finalized.set(ctx.finality.reported().finalized ?? finalized)
    return cursor
  }
}

/**
 * The newest block that a provider calls final and that is committed here as the same block; null if it
 * cannot be compared. A height alone is not enough: after a fork that is too deep, our block there is not on
 * the chain. If the provider reports no finality, depth stands for it.
 * @param forks providers whose different block was logged already
 */
async function finalOfOurs(
  ctx: IndexerContext,
  cursor: Cursor,
  tip: ProviderTip,
  forks: Set<string>,
): Promise<BlockId | 'another block' | null> {
  const height = Math.min(tip.finalized?.height ?? tip.head - ctx.chain.finalizedDepth + 1, cursor.height)
  if (height < 0) return null
  const blocks = await blocksAt(ctx, cursor, tip, height)
  if (!blocks) return null
  const { ours, theirs } = blocks
  if (ours === theirs) {
    forks.delete(tip.source)
    return { height, id: ours }
  }
  if (tip.finalized && !forks.has(tip.source)) {
    forks.add(tip.source)
    ctx.log.error(
      { height, ours, theirs, source: tip.source },
      'a provider calls a different block finalized than the one that was read',
    )
  }
  return 'another block'
}

/** True if a provider's newest block is the one that was read here; null if it cannot be compared. */
async function isOnOurBranch(ctx: IndexerContext, cursor: Cursor, tip: ProviderTip): Promise<boolean | null> {
  const blocks = await blocksAt(ctx, cursor, tip, Math.min(tip.head, cursor.height))
  return blocks && blocks.ours === blocks.theirs
}

/** The ids of our block at a height and of the provider's; null if one is not known. */
async function blocksAt(
  ctx: IndexerContext,
  cursor: Cursor,
  tip: ProviderTip,
  height: number,
): Promise<{ ours: string; theirs: string } | null> {
  const ours = await ourBlock(ctx, cursor, height)
  const theirs =
    height === tip.finalized?.height
      ? tip.finalized
      : await orUndefined(ctx.reader.header(height, tip.source))
  return ours?.id == null || !theirs ? null : { ours: ours.id, theirs: theirs.id }
}

/**
 * Our block at a height, on the branch of this round's cursor: `recordFinalized` verifies that it is still
 * on our chain.
 */
const ourBlock = async (ctx: IndexerContext, cursor: Cursor, height: number): Promise<Cursor | null> =>
  height === cursor.height ? cursor : committedHeader(ctx.db, ctx.chain.name, height)

/**
 * With finality as the chain's own rule, every payment waits for it, and every session that ended. With a
 * second provider, they also wait for its head.
 */
async function somethingWaits({ db, chain }: IndexerContext): Promise<boolean> {
  const needsTips = chain.byFinalizedTag || hasSecondProvider(chain)
  const [row] = await db.query<{ waits: boolean }>(
    "select exists (select 1 from detections where chain = $1 and status = 'seen' and (depth is null or $2)) as waits",
    [chain.name, needsTips],
  )
  return (row?.waits ?? false) || (needsTips && (await awaitsExpiry(db, chain.name)))
}
