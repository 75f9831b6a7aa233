import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import type { IndexerContext } from './context.ts'
import { FencedError } from './cursor.ts'
import { runWithBackoff } from './keepTrying.ts'
import { reread } from './reread.ts'

/** Between two looks at what was asked for. */
const everyMs = 1000
/** Blocks after which it is kept how far an import is. */
const piece = 32
/** Pieces after which it is another business's turn. */
const turn = 8
/** Tries in vain after which an import has failed: the pauses between them double from a second to ten minutes, about an hour in all. */
const maxFailures = 15

interface Import {
  id: string
  next: number
  to: number
}

/**
 * Beside the chain's head: reads blocks again for addresses that are monitored from a height below the cursor. The businesses take turns, a
 * few pieces each, whatever one of them asks for: each has one import under way. One that cannot go on lets the others pass, is tried again,
 * and fails at last; one whose addresses were all removed is cancelled. Ends with the context's signal.
 */
export async function importBlocks(ctx: IndexerContext): Promise<void> {
  await runWithBackoff(ctx, 'the imports do not get on', everyMs, async () => {
    let isMore = false
    for (const id of await openImports(ctx)) {
      if (ctx.signal.aborted) return 'waits'
      if ((await work(ctx, id)) === 'goes on') isMore = true
    }
    return isMore ? 'goes on' : 'waits'
  })
}

const hasAddresses = 'exists (select 1 from watches w where w.import_id = i.id and w.removed_at is null)'

/** Of each business the one that is under way, else the one that waits longest; without those that pause. */
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
  const range = { id, next: Number(begun.next_height), to: Number(begun.to_height) }
  try {
    for (let left = turn; left > 0 && range.next <= range.to && !ctx.signal.aborted; left--) range.next = await readPiece(ctx, range)
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
    ctx.log[isOurs ? 'error' : 'warn']({ import: id, next: range.next, err: messageOf(error) }, 'an import does not get on; trying again')
    // Businesses see it: which nodes are asked, and what broke, is not theirs to know.
    const said = isOurs ? 'its blocks could not be read just now' : `no node of ${ctx.chain.name} can be asked just now, or none has these blocks`
    if ((await pauseImport(ctx, id, said)) < maxFailures) return 'stuck'
    const blocks = `block ${range.next}, or the ones after it,`
    const none = isOurs ? `${blocks} could not be read` : `no node of ${ctx.chain.name} had ${blocks}`
    await failImport(ctx, range, `${none} in ${maxFailures} tries`)
    return 'ended'
  }
}

/** @returns tries in vain since the last block that was read; while the chain itself cannot be read, none counts: no node can be asked then */
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

/** Its addresses are told from behind it on, or from where they were before it: asked for an earlier block again, they have another import. */
async function failImport(ctx: IndexerContext, { id, next }: Import, said: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [failed] = await tx.query<{ to_height: string }>(
      "update monitoring_imports set status = 'failed', last_error = $2 where id = $1 and status = 'running' returning to_height",
      [id, said],
    )
    if (!failed) return
    // One order for whoever changes many: two would else wait for each other.
    await tx.query('select id from watches where import_id = $1 and removed_at is null order by id for update', [id])
    await tx.query(
      'update watches set from_height = least(from_before, $2::bigint + 1), import_id = null where import_id = $1 and removed_at is null',
      [id, failed.to_height],
    )
  })
  ctx.log.error({ import: id, next }, 'an import has failed: its blocks cannot be read')
}

/**
 * From here on it takes no more addresses in. Those that it has may have come too late for blocks above its end that are committed by now, or
 * are in hand: it begins by reaching up to where the watch list has them.
 */
async function begin(ctx: IndexerContext, id: string): Promise<{ next_height: string; to_height: string } | null> {
  await ctx.db.query("update monitoring_imports set status = 'begun' where id = $1 and status = 'pending'", [id])
  const cancelled = await ctx.db.query(
    `update monitoring_imports i set status = 'cancelled', last_error = null
     where id = $1 and status in ('begun', 'running') and not ${hasAddresses} returning id`,
    [id],
  )
  if (cancelled.length > 0) return null
  await ctx.watches.readTail()
  await ctx.taking.done
  const [begun] = await ctx.db.query<{ next_height: string; to_height: string }>(
    `update monitoring_imports i set status = 'running',
       to_height = case status when 'begun' then greatest(to_height, (select height from chain_cursors c where c.chain = i.chain)) else to_height end
     where id = $1 and status in ('begun', 'running') returning next_height, to_height`,
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
  // Interrupted: it is read again.
  if (blocks < last - next + 1) return next
  // Whatever is found here for others is counted by nobody: a business learns of its own alone.
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
