import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import type { IndexerContext } from './context.ts'
import { FencedError } from './cursor.ts'
import { reread } from './reread.ts'
import { runWithBackoff } from './runWithBackoff.ts'

/** Pause between two checks for imports. */
const everyMs = 1000
/** Blocks between two updates of an import's progress. */
const piece = 32
/** Pieces before the next business has its turn. */
const turn = 8
/**
 * Failed tries before an import fails. The pauses double from a second to ten minutes, about an hour in all.
 */
const maxFailures = 15

interface Import {
  id: string
  next: number
  to: number
}

/**
 * Reads blocks again for addresses that are monitored from a height below the cursor. Runs concurrently with
 * the loop that reads the head, until the context's signal. Each business has one import under way;
 * businesses take turns of a few pieces. A stuck import lets the others pass, is retried, and finally fails;
 * one whose addresses were all removed is cancelled.
 */
export async function importBlocks(ctx: IndexerContext): Promise<void> {
  await runWithBackoff(ctx, 'imports could not continue', everyMs, async () => {
    let isMore = false
    for (const id of await openImports(ctx)) {
      if (ctx.signal.aborted) return 'waits'
      if ((await work(ctx, id)) === 'goes on') isMore = true
    }
    return isMore ? 'goes on' : 'waits'
  })
}

const hasAddresses = 'exists (select 1 from watches w where w.import_id = i.id and w.removed_at is null)'

/** For each business the import under way, otherwise the oldest one; without paused ones. */
async function openImports({ db, chain }: IndexerContext): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from (
       select distinct on (business_id) id, retry_at from monitoring_imports where chain = $1 and status in ('pending', 'begun', 'running')
       order by business_id, status = 'pending', id) i
     where retry_at is null or retry_at <= now() or not ${hasAddresses} order by id`,
    [chain.name],
  )
  return rows.map(({ id }) => id)
}

/** One turn. */
async function work(ctx: IndexerContext, id: string): Promise<'goes on' | 'ended' | 'stuck'> {
  const begun = await begin(ctx, id)
  if (!begun) return 'ended'
  const range = { id, next: Number(begun.nextHeight), to: Number(begun.toHeight) }
  try {
    for (let left = turn; left > 0 && range.next <= range.to && !ctx.signal.aborted; left--)
      range.next = await readPiece(ctx, range)
    if (range.next <= range.to) return 'goes on'
    await ctx.db.query(
      "update monitoring_imports set status = 'completed', completed_at = now(), last_error = null where id = $1 and next_height > to_height",
      [id],
    )
    ctx.log.info({ import: id, upTo: range.to }, 'an import is complete')
    return 'ended'
  } catch (error) {
    if (error instanceof FencedError || ctx.signal.aborted) throw error
    const isOurs = !(error instanceof ProviderError)
    ctx.log[isOurs ? 'error' : 'warn'](
      { import: id, next: range.next, err: messageOf(error) },
      'an import could not continue; trying again',
    )
    // Shown to businesses: nodes and internal errors are not.
    const said = isOurs
      ? 'its blocks could not be read just now'
      : `no node of ${ctx.chain.name} can be asked just now, or no node has these blocks`
    if ((await pauseImport(ctx, id, said)) < maxFailures) return 'stuck'
    const blocks = `block ${range.next}, or the ones after it,`
    const failure = isOurs ? `${blocks} could not be read` : `no node of ${ctx.chain.name} had ${blocks}`
    await failImport(ctx, range, `${failure} in ${maxFailures} tries`)
    return 'ended'
  }
}

/**
 * @returns failed tries since the last block that was read. Tries while the chain itself is unreadable do not
 * count
 */
async function pauseImport(ctx: IndexerContext, id: string, said: string): Promise<number> {
  const [paused] = await ctx.db.query<{ failures: number }>(
    `update monitoring_imports i set last_error = $2, retry_at = now() + make_interval(secs => least(600, power(2, failures))),
       failures = failures + case when exists (
         select 1 from chain_cursors c where c.chain = i.chain and c.updated_at > now() - interval '2 minutes') then 1 else 0 end
     where id = $1 returning failures`,
    [id, said],
  )
  return paused?.failures ?? 0
}

/**
 * Its addresses count from the block after its end, or from where they counted before. Monitoring from an
 * earlier block again makes a new import.
 */
async function failImport(ctx: IndexerContext, { id, next }: Import, said: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [failed] = await tx.query<{ toHeight: string }>(
      `update monitoring_imports set status = 'failed', last_error = $2 where id = $1 and status = 'running' returning to_height as "toHeight"`,
      [id, said],
    )
    if (!failed) return
    // Lock in one order, to avoid deadlocks with other writers.
    await tx.query(
      'select id from watches where import_id = $1 and removed_at is null order by id for update',
      [id],
    )
    await tx.query(
      'update watches set from_height = least(from_before, $2::bigint + 1), import_id = null where import_id = $1 and removed_at is null',
      [id, failed.toHeight],
    )
  })
  ctx.log.error({ import: id, next }, 'an import has failed: its blocks cannot be read')
}

/**
 * From here on the import accepts no more addresses. Blocks above its end may have been matched without its
 * addresses, so its end moves up to the cursor.
 */
async function begin(
  ctx: IndexerContext,
  id: string,
): Promise<{ nextHeight: string; toHeight: string } | null> {
  await ctx.db.query("update monitoring_imports set status = 'begun' where id = $1 and status = 'pending'", [
    id,
  ])
  const cancelled = await ctx.db.query(
    `update monitoring_imports i set status = 'cancelled', last_error = null
     where id = $1 and status in ('begun', 'running') and not ${hasAddresses} returning id`,
    [id],
  )
  if (cancelled.length > 0) return null
  await ctx.watches.readTail()
  await ctx.inFlight.done
  const [begun] = await ctx.db.query<{ nextHeight: string; toHeight: string }>(
    `update monitoring_imports i set status = 'running',
       to_height = case status when 'begun' then greatest(to_height, (select height from chain_cursors c where c.chain = i.chain)) else to_height end
     where id = $1 and status in ('begun', 'running') returning next_height as "nextHeight", to_height as "toHeight"`,
    [id],
  )
  return begun ?? null
}

/** @returns the next height */
async function readPiece(ctx: IndexerContext, { id, next, to }: Import): Promise<number> {
  const last = Math.min(to, next + piece - 1)
  let blocks = 0
  const add = (done: { blocks: number }) => {
    blocks += done.blocks
  }
  await reread(ctx, { from: next, to: last }, 'again', add, ctx.signal)
  // Interrupted: the piece is read again.
  if (blocks < last - next + 1) return next
  // Counts only detections of the import's own business.
  await ctx.db.query(
    `update monitoring_imports i set next_height = $2, last_error = null, failures = 0, retry_at = null, found = found + (
       select count(*) from detections d join watches w on w.id = d.watch_id
       where d.chain = i.chain and d.block_height >= $3 and d.block_height < $2 and d.status <> 'reverted' and d.seen_at >= i.created_at
         and w.purpose = 'monitor' and w.business_id = i.business_id)
     where id = $1 and next_height = $3`,
    [id, last + 1, next],
  )
  failpoint('indexer.import-piece')
  return last + 1
}
