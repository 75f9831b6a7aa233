import { type BlockReader, ProviderError } from '../src/chains/chain.ts'
import { ConfigError } from '../src/platform/config.ts'
import type { Tx } from '../src/platform/database/db.ts'
import type { CommitContext } from './context.ts'
import { type Cursor, committedHeader } from './cursor.ts'
import { keptHeaders } from './reread.ts'

export interface ForkReader {
  reader: Pick<BlockReader, 'header'>
}

/** How far a provider's chain equals the stored one. */
export interface ProviderFork {
  source: string
  answers: boolean
  /** The newest stored block that it has; null: no stored block. */
  common: { height: number; id: string } | null
  /** It has a different block above that one. */
  isOther: boolean
}

export async function forkOf(
  ctx: CommitContext & ForkReader,
  cursor: Cursor,
  source: string,
): Promise<ProviderFork> {
  try {
    const common = await commonWith(ctx, cursor, source)
    const isBelow = common !== null && common.height < cursor.height
    const isOther = isBelow && (await ctx.reader.header(common.height + 1, source)) !== null
    return { source, answers: true, common, isOther }
  } catch (error) {
    if (error instanceof ProviderError) return { source, answers: false, common: null, isOther: false }
    throw error
  }
}

/**
 * Binary search: below a common block, all blocks are common. @throws ProviderError when the provider does
 * not answer
 */
async function commonWith(
  { db, chain, reader }: CommitContext & ForkReader,
  cursor: Cursor,
  source: string,
): Promise<ProviderFork['common']> {
  const [kept] = await db.query<{ lowest: string | null }>(
    `select min(height) as lowest from blocks where chain = $1 and canonical and height > (
       select coalesce(max(h.height), -1) from generate_series($2::bigint - $3, $2::bigint) h(height)
       where not exists (select 1 from blocks b where b.chain = $1 and b.canonical and b.height = h.height))`,
    [chain.name, cursor.height, keptHeaders],
  )
  if (kept?.lowest == null) return null
  let [low, high] = [Number(kept.lowest) - 1, cursor.height]
  let common: ProviderFork['common'] = null
  while (low < high) {
    const height = Math.ceil((low + high) / 2)
    const ours = await committedHeader(db, chain.name, height)
    const theirs = await reader.header(height, source)
    if (ours && theirs?.id === ours.id) {
      common = ours
      low = height
    } else {
      high = height - 1
    }
  }
  return common
}

/**
 * Fences off the leader, and lowers the recorded finalized height to `height`.
 * @throws ConfigError if no block is stored at the height
 */
export async function fencedForFork(
  tx: Tx,
  chain: string,
  height: number,
): Promise<{ epoch: bigint; id: string; finalizedBefore: number | null }> {
  const ours = await committedHeader(tx, chain, height)
  if (!ours?.id) throw new ConfigError(`no block of ${chain} is stored at ${height}`)
  const [row] = await tx.query<{ epoch: string; before: string | null }>(
    `update chain_cursors c set epoch = c.epoch + 1, finalized_height = case when c.finalized_height > $2 then $2 else c.finalized_height end
     from (select chain, finalized_height from chain_cursors where chain = $1 for update) old where c.chain = old.chain
     returning c.epoch, old.finalized_height as before`,
    [chain, height],
  )
  if (!row) throw new ProviderError(`no block of ${chain} has been read yet`)
  return {
    epoch: BigInt(row.epoch),
    id: ours.id,
    finalizedBefore: row.before === null ? null : Number(row.before),
  }
}
