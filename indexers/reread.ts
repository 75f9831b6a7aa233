import { type Block, ProviderError } from '../src/chains/chain.ts'
import { isCall } from '../src/chains/internalMovements.ts'
import type { Tx } from '../src/platform/database/db.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { confirmDue, deepHeight, finalizedHeight } from './confirm.ts'
import type { CommitContext, MatchContext } from './context.ts'
import type { HeightRange } from './coverage.ts'
import { FencedError, idleGuard } from './cursor.ts'
import { detect } from './detect.ts'
import { findPayments, type ReadBlock } from './findPayments.ts'
import { publish } from './publish.ts'

export interface Reread {
  blocks: number
  /** New payments, counted per watch. */
  found: number
  /** Payments that were already recorded. */
  known: number
  /** Recorded payments that the chain does not have. */
  unsupported: { height: number; txId: string; movementKey: string }[]
}

/**
 * Why blocks are read: to fill a `gap`; `again`, on request, which never moves the start of the record down
 * (the range between would become a gap); or for their `internal` transfers.
 */
export type Reason = 'gap' | 'again' | 'internal'

/** Blocks per transaction. */
const piece = 32
const atOnce = 4
/** Headers further than this below the cursor are deleted. */
export const keptHeaders = 10_000

/**
 * Reads blocks at or below the cursor again, and commits what is new. Safe while a leader follows the chain:
 * each block must equal the one recorded at its height.
 * @param onPiece called after each piece
 * @throws ProviderError when the chain cannot be read; finished pieces stay committed
 */
export async function reread(
  ctx: CommitContext & MatchContext,
  range: HeightRange,
  what: Reason,
  onPiece: (piece: Reread & HeightRange) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let from = range.from; from <= range.to && !signal.aborted; from += piece) {
    const to = Math.min(range.to, from + piece - 1)
    const blocks = what === 'internal' ? await internalOf(ctx, from, to) : await wholeBlocks(ctx, from, to)
    await ctx.watches.readTail()
    const read = await findPayments(ctx, blocks)
    onPiece({ from, to, ...(await commitPast(ctx, { from, to }, read, what)) })
  }
}

/** With internal transfers if nodes can trace; otherwise whole ranges without them. */
async function wholeBlocks(ctx: MatchContext, from: number, to: number): Promise<Block[]> {
  if (ctx.reader.internalMethod !== 'traces') {
    const blocks: Block[] = []
    while (blocks.length < to - from + 1) blocks.push(...(await ctx.reader.blocks(from + blocks.length, to)))
    return blocks
  }
  return eachHeight(from, to, async (height) => {
    const block = await ctx.reader.block(height)
    if (!block) throw new ProviderError(`no provider has block ${height}`)
    return block
  })
}

async function internalOf({ reader }: MatchContext, from: number, to: number): Promise<Block[]> {
  return eachHeight(from, to, async (height) => {
    if (!reader.internal) throw new Error('this chain does not provide internal transfers separately')
    return reader.internal(height)
  })
}

/** In small groups: traces are the most expensive calls, and the head is read at the same time. */
async function eachHeight(
  from: number,
  to: number,
  read: (height: number) => Promise<Block>,
): Promise<Block[]> {
  const blocks: Block[] = []
  for (let next = from; next <= to; next += atOnce) {
    const count = Math.min(atOnce, to - next + 1)
    blocks.push(...(await Promise.all(Array.from({ length: count }, (_, index) => read(next + index)))))
  }
  return blocks
}

/**
 * Commits new payments of blocks at or below the cursor.
 * @throws ProviderError if a block is above the cursor or differs from the one recorded at its height
 * @throws FencedError if a leader no longer leads
 */
export async function commitPast(
  ctx: CommitContext,
  { from, to }: HeightRange,
  read: readonly ReadBlock[],
  what: Reason,
): Promise<Reread> {
  const result = await ctx.db.tx(async (tx) => {
    const progress = await holdCursor(ctx, tx, to)
    await requireSameBlocks(ctx, tx, read)
    const seen = await detect(ctx, tx, read, progress, 'past')
    await tx.query(
      `update chain_cursors set traced = traced + (select coalesce(range_agg(int8range(h, h, '[]')), '{}') from unnest($2::bigint[]) h),
         covered = covered + int8multirange(int8range($4, $5, '[]')) * case $3
           when 'gap' then '{(,)}'::int8multirange
           when 'again' then int8multirange(int8range(lower(covered), null))
           else '{}' end where chain = $1`,
      [
        ctx.chain.name,
        read.filter(({ block }) => block.traced).map(({ block }) => block.height),
        what,
        from,
        to,
      ],
    )
    await publish(tx, seen.detections, 'seen')
    await confirmDue(ctx, tx, progress)
    return {
      blocks: read.length,
      found: seen.detections.length,
      known: seen.known,
      unsupported: what === 'again' ? await recordedButAbsent(ctx, tx, { from, to }, read) : [],
    }
  })
  failpoint('indexer.reread')
  return result
}

/** Locks the cursor against a rewind. */
async function holdCursor(ctx: CommitContext, tx: Tx, to: number) {
  const [cursor] = await tx.query<{
    height: string | null
    finalizedHeight: string | null
    confirmedTime: Date | null
  }>(
    `select height, finalized_height as "finalizedHeight", confirmed_time as "confirmedTime", ${idleGuard} from chain_cursors
     where chain = $1 and epoch = coalesce($2::bigint, epoch) for update`,
    [ctx.chain.name, ctx.epoch?.toString() ?? null],
  )
  if (!cursor && ctx.epoch !== undefined) throw new FencedError(ctx.chain.name)
  if (cursor?.height == null || Number(cursor.height) < to)
    throw new ProviderError(`block ${to} of ${ctx.chain.name} is above what was read`)
  const height = Number(cursor.height)
  // The leader's loops know what the providers reported, and confirm the rest.
  const reported = { finalized: null, head: null }
  const deep = deepHeight(ctx.chain, height, reported)
  return {
    height,
    deep,
    finalized: finalizedHeight(
      ctx.chain,
      height,
      deep,
      cursor.finalizedHeight === null ? null : Number(cursor.finalizedHeight),
      reported,
    ),
    confirmedTime: cursor.confirmedTime,
  }
}

/** A stored header must equal the block just read; missing headers are added. */
async function requireSameBlocks(ctx: CommitContext, tx: Tx, read: readonly ReadBlock[]): Promise<void> {
  const rows = await tx.query<{ height: string; id: string }>(
    'select height, id from blocks where chain = $1 and canonical and height = any($2::bigint[])',
    [ctx.chain.name, read.map(({ block }) => block.height)],
  )
  const kept = new Map(rows.map((row) => [Number(row.height), row.id]))
  for (const { block } of read) {
    const ours = kept.get(block.height)
    if (ours !== undefined && ours !== block.id)
      throw new ProviderError(`block ${block.height} is not the one that was read: the chain forked`)
  }
  const missing = read.filter(({ block }) => !kept.has(block.height)).map(({ block }) => block)
  if (missing.length === 0) return
  await tx.query(
    `insert into blocks (chain, height, id, parent_id, time)
     select $1, t.height, t.id, t.parent_id, t.time from unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[]) as t(height, id, parent_id, time)
     where t.height > (select height from chain_cursors where chain = $1) - $6
     on conflict (chain, height, id) do update set canonical = true, time = excluded.time`,
    [
      ctx.chain.name,
      missing.map((header) => header.height),
      missing.map((header) => header.id),
      missing.map((header) => header.parentId),
      missing.map((header) => header.time.toISOString()),
      keptHeaders,
    ],
  )
}

/**
 * Internal transfers are left out if this reading does not include them, or names them differently. So are
 * transfers of removed watches, which were not searched for.
 */
async function recordedButAbsent(
  ctx: CommitContext,
  tx: Tx,
  { from, to }: HeightRange,
  read: readonly ReadBlock[],
): Promise<Reread['unsupported']> {
  const rows = await tx.query<{
    blockHeight: string
    blockId: string
    txId: string
    movementKey: string
    amount: string
  }>(
    `select distinct t.block_height as "blockHeight", t.block_id as "blockId", t.tx_id as "txId", t.movement_key as "movementKey", t.amount
     from detections d join transfers t on t.id = d.transfer_id join watches w on w.id = d.watch_id
     where d.chain = $1 and d.block_height between $2 and $3 and t.canonical and w.removed_at is null and (w.all_tokens or t.token is not null)`,
    [ctx.chain.name, from, to],
  )
  // A different amount is a different payment: a node's answer was false then, or is now.
  const keyOf = (blockId: string, txId: string, movementKey: string, amount: bigint | string) =>
    `${blockId} ${txId} ${movementKey} ${amount}`
  const present = new Set(
    read.flatMap(({ block, payments }) =>
      payments.map(({ transfer: { txId, movementKey, amount } }) =>
        keyOf(block.id, txId, movementKey, amount),
      ),
    ),
  )
  const withCalls = new Set(read.filter(({ reportsCalls }) => reportsCalls).map(({ block }) => block.id))
  return rows
    .filter(
      (row) =>
        !/^(trace|balance):/.test(row.movementKey) || (isCall(row.movementKey) && withCalls.has(row.blockId)),
    )
    .filter((row) => !present.has(keyOf(row.blockId, row.txId, row.movementKey, row.amount)))
    .map((row) => ({ height: Number(row.blockHeight), txId: row.txId, movementKey: row.movementKey }))
}
